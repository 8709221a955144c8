package torture

import (
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-im/parley"
)

// Kind is what a player does.
type Kind string

// The kinds.
const (
	Create       Kind = "create"
	Post         Kind = "post"
	Join         Kind = "join"
	Leave        Kind = "leave"
	Add          Kind = "add"
	Rename       Kind = "rename"
	Mail         Kind = "mail"
	Upload       Kind = "upload"
	Change       Kind = "change"
	Delete       Kind = "delete"
	ChangeThread Kind = "change thread"
	DeleteThread Kind = "delete thread"
	Restore      Kind = "restore"
	Read         Kind = "read"
)

// Outcome is what a player knows of a command.
type Outcome uint8

// The outcomes. Unknown is the zero value: asked, and never answered.
const (
	Unknown Outcome = iota
	Done
	Refused
)

func (o Outcome) String() string { return [...]string{"unknown", "done", "refused"}[o] }

// Op is one command or read of a play, with what it asked and what it heard.
type Op struct {
	N       int
	Kind    Kind
	Who     int      // place in Play.People; of Mail: nobody, see To
	Key     string   // idempotency key
	Bare    bool     // without a key: never repeated
	Earlier []string // keys of earlier attempts, where a fault is planted
	Word    string   // in everything that this op says, and nowhere else

	Room    parley.ThreadID // or mail thread
	To      []int           // Create: the others; Mail: the recipients; Add: whom
	History parley.History
	Open    bool
	First   bool // Create: with a first post
	Text    string
	Files   []*Op // Post: uploads; of Upload: none
	ReplyTo parley.MessageID
	Parts   []parley.PartID // Post: mentions
	Raw     []byte          // Mail, Upload
	File    []byte          // Mail: what is attached
	ID      string          // Mail: its Message-ID, "" for none
	Refs    []string        // Mail: the Message-IDs that it names

	Messages []parley.MessageID
	Change   parley.Change
	Thread   parley.ThreadChange

	Started  time.Time // first attempt
	Ended    time.Time // last one
	Attempts int
	Call     int64 // in the history's count, before the first attempt
	Return   int64 // after the last; 0 while there is none
	Outcome  Outcome
	Each     []Outcome // Mail: by recipient
	Refusal  error
	Anew     bool  // a repeat of it was decided again
	Denied   error // a repeat of it was refused

	Message  parley.MessageID // that it made
	Seq      parley.Seq
	At       time.Time
	Blob     parley.BlobID
	Part     parley.PartID // Add: who was added
	Revision parley.Revision
	Replayed bool // as the last attempt heard it

	Saw   []parley.Message // Read
	SawAs parley.Thread
}

func (o *Op) String() string {
	return fmt.Sprintf("op %d (%s by %d, key %q, room %s, %s after %d attempts, seq %d)", o.N, o.Kind, o.Who, o.Key, o.Room, o.Outcome, o.Attempts, o.Seq)
}

// words are how a taint looks wherever it turns up.
var words = regexp.MustCompile(`qz\d{6}zq`)

func word(n int) string { return fmt.Sprintf("qz%06dzq", n) }

// History is everything that the players of a run did, over all its lives.
type History struct {
	clock atomic.Int64

	mu     sync.Mutex
	ops    []*Op                       // under mu
	tries  []*Attempt                  // under mu
	keys   map[parley.CommandID]string // under mu
	wrongs []string                    // under mu; what a player heard that cannot be
}

// name notes the key behind a command, and Key tells it.
func (h *History) name(id parley.CommandID, key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.keys == nil {
		h.keys = map[parley.CommandID]string{}
	}
	h.keys[id] = key
}

// Key is the key behind a command.
func (h *History) Key(id parley.CommandID) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keys[id]
}

// tick is a moment: of two moments the later has the greater number.
func (h *History) tick() int64 { return h.clock.Add(1) }

// begin gives an op its number, key and word.
func (h *History) begin(o *Op) *Op {
	h.mu.Lock()
	defer h.mu.Unlock()
	o.N = len(h.ops)
	o.Word = word(o.N)
	if !o.Bare {
		o.Key = fmt.Sprintf("key-%d", o.N)
	}
	h.ops = append(h.ops, o)
	return o
}

// Ops is everything so far, in the order of beginning.
func (h *History) Ops() []*Op {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*Op(nil), h.ops...)
}

// Attempt is one asking of an op, and what it heard.
type Attempt struct {
	Op           *Op
	Call, Return int64
	Outcome      Outcome
	Seq          parley.Seq
}

func (h *History) attempted(a *Attempt) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tries = append(h.tries, a)
}

// Attempts are all attempts so far, in the order in which they ended.
func (h *History) Attempts() []*Attempt {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*Attempt(nil), h.tries...)
}

// Unheard counts the attempts that were not answered.
func (h *History) Unheard() (n int) {
	for _, a := range h.Attempts() {
		if a.Outcome == Unknown {
			n++
		}
	}
	return n
}

// wrong notes an answer that cannot be.
func (h *History) wrong(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.wrongs) < maxProblems {
		h.wrongs = append(h.wrongs, fmt.Sprintf(format, args...))
	}
}

// Wrongs are the answers that cannot be.
func (h *History) Wrongs() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.wrongs...)
}
