package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley/persistence"
)

// machine is a row's state machine as the activation drives it: mailbox and
// thread, each with its codec. All calls come from one goroutine at a time.
type machine interface {
	// hint names pages that the first command will want, so that they are read
	// along with the marks.
	hint(cmd any) []string
	// base names the pages that every activation holds.
	base() []string
	// supply takes pages as stored, nil for those that the store does not have.
	supply(page string, value []byte) error
	// ranges are page prefixes to read whole at load (thread keys), if any.
	ranges() []string
	// loaded is called once, when base, ranges and hint are in.
	loaded() error
	// last is the number of the last action folded in.
	last() uint64
	// replay folds in a logged action.
	replay(action []byte) (need []string, err error)
	// decide decides and changes nothing; the decision's fold does.
	decide(cmd any, now time.Time) (decision, error)
	// dirty counts pages that a flush would write; flush takes them, nil for removed ones.
	dirty() int
	flush() (map[string][]byte, error)
	// flushed is called when the taken pages are durable; the machine may trim its memory.
	flushed(budget int)
	// bytes estimates the memory held.
	bytes() int
	// work reports whether something is left to do after the commits so far,
	// for which a reminder must stand.
	work() bool
	// blank returns an action without its content.
	blank(action []byte) ([]byte, error)
}

// decision is what a command comes to, in stored form.
type decision struct {
	actions [][]byte          // numbered from last()+1 before the decision
	bodies  map[uint64][]byte // raw mail beside those actions
	blank   []uint64          // earlier actions to blank, with their bodies
	fold    func()            // folds the actions in; nil without any
	reply   func() (any, error)
	// after, if set, completes the reply beside the loop, once committed.
	after func(ctx context.Context, reply any) (any, error)
	next  any
}

// besideError says that a command needs work beside the loop, and is then decided
// again as the command that the work gives.
type besideError struct {
	work func(ctx context.Context) (cmd any, err error)
}

func (*besideError) Error() string { return "actors: work to do first" }

// needError says which pages a decision lacks.
type needError struct{ pages []string }

func (*needError) Error() string { return "actors: pages to load first" }

// Qualifiers of the log family: the fence, actions and bodies by
// big-endian action number.
var (
	fenceQualifier = []byte("f")
	markQualifier  = []byte("mark")
)

func actionQualifier(n uint64) []byte { return numbered('a', n) }
func bodyQualifier(n uint64) []byte   { return numbered('b', n) }

func numbered(kind byte, n uint64) []byte {
	return []byte{kind, byte(n >> 56), byte(n >> 48), byte(n >> 40), byte(n >> 32), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
}

// pageQualifier places a page in a generation of the projection: a
// new projection is built beside the old and switched by the mark. Generations
// are 'p' and 'q', by turns.
func pageQualifier(generation byte, page string) []byte {
	return append([]byte{generation}, page...)
}

const firstGeneration = 'p'

func otherGeneration(g byte) byte { return 'p' + 'q' - g }

func pageRange(generation byte, page string) persistence.Range {
	return persistence.Exactly(persistence.Meta, pageQualifier(generation, page))
}

func prefixRange(generation byte, prefix string, limit int) persistence.Range {
	from := pageQualifier(generation, prefix)
	to := append([]byte(nil), from...)
	to[len(to)-1]++
	return persistence.Range{Family: persistence.Meta, From: from, To: to, Limit: limit}
}
