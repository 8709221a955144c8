package mailbox

import (
	"slices"
	"unsafe"

	"github.com/parley-im/parley"
)

// Header is the page that every activation holds: figures of the whole mailbox.
type Header struct {
	Last     parley.Revision // last action folded in
	Messages int64           // notices are not counted
	Bytes    int64
	Threads  int64
	Replies  int64 // messages of the owner that answer another
	Badge    int64
	Other    int64 // unread threads in Other
	Folders  []FolderCounts
	Closed   bool
	Sending  int64          // drafts that are being sent
	Jobs     []parley.JobID // that are not over, in line

	Transfers []parley.JobID // imports and exports that are not over, in a line of their own
	Exports   []parley.JobID // that are done and have their archive, in the order in which they ended
}

// FolderCounts are RFC 8621's figures of one folder; kept sorted by folder.
type FolderCounts struct {
	Folder parley.FolderID
	parley.Counts
}

// Weight implements Page.
func (h *Header) Weight() int {
	return int(unsafe.Sizeof(*h)) + 64*len(h.Folders) + 48*(len(h.Jobs)+len(h.Transfers)+len(h.Exports))
}

// Thread is a conversation in this copy.
type Thread struct {
	ID          parley.ThreadID
	Into        parley.ThreadID // not empty: merged away, the id is an alias
	Kind        parley.Kind
	Subject     string
	Excerpt     string
	Messages    int64 // drafts are not counted
	Drafts      int64
	Unread      int64
	UnreadShown int64 // unread and in a folder other than Trash
	Mentions    int64 // unread mentions of the owner outside Spam and Trash
	Folders     []ThreadFolder
	Flagged     int64 // flagged, and outside Spam and Trash
	Channels    []ThreadChannel
	Muted       bool
	Hidden      bool   // an emptied room that was deleted: listed again with its next message
	LastAt      int64  // microseconds, of the last message; of the last notice while there is none
	First       []byte // order of the oldest message, which names a mail thread
	Newest      []byte // order of the last message
	Last        parley.MessageID
	LastAuthor  parley.Author
	Authors     []parley.Author // mail: who wrote, oldest first, at most maxAuthors
	People      []Hash          // participant index entries, sorted, at most maxPeople
	Revision    parley.Revision
	Linked      []parley.ThreadID // a room, what it was made of or split from, and what was split from it
	Apart       []parley.ThreadID // mail threads that no mail joins to this one: it was split from them

	// Rooms.
	SplitAt   int64      // microseconds; of one that is known by a split, before its own first event
	Seq       parley.Seq // last event taken
	RosterSeq parley.Seq
	History   parley.History
	Open      bool
	State     parley.PartState // of the owner
}

const (
	maxAuthors = 20
	maxPeople  = 50 // per participant for threads of up to 50
)

// ThreadFolder counts a thread's messages in one folder; kept sorted by folder.
type ThreadFolder struct {
	Folder        parley.FolderID
	Total, Unread int64
}

// ThreadChannel counts a thread's messages of one channel; kept sorted by channel.
type ThreadChannel struct {
	Channel parley.Channel
	Total   int64
}

// Weight implements Page.
func (t *Thread) Weight() int {
	return int(unsafe.Sizeof(*t)) + len(t.Subject) + len(t.Excerpt) + 96*len(t.Authors) + 16*len(t.People) + 40*len(t.Folders) + 48*(len(t.Apart)+len(t.Linked)) + 160
}

func (t *Thread) clone() *Thread {
	c := *t
	c.Channels = slices.Clone(t.Channels)
	c.Folders, c.Authors, c.People = slices.Clone(t.Folders), slices.Clone(t.Authors), slices.Clone(t.People)
	c.Apart, c.Linked = slices.Clone(t.Apart), slices.Clone(t.Linked)
	return &c
}

// Roster is who takes part in a room, as of the thread's Seq in this copy.
type Roster struct{ Parts []parley.Participant }

// Weight implements Page.
func (r *Roster) Weight() int { return 48 + 160*len(r.Parts) }

// Message is one message, or one notice, in this copy.
type Message struct {
	ID          parley.MessageID
	Thread      parley.ThreadID
	Generation  uint32
	Notice      parley.Notice
	Seq         parley.Seq
	Moved       bool       // here by a split: Seq is of the room that it was posted in
	Prev        parley.Seq // of the delivery; audit checks the chain
	Author      parley.Author
	Own         bool // written by the owner of this copy
	Answers     bool // names another message
	Mentioned   bool // mentions the owner
	Channel     parley.Channel
	Subject     string
	Excerpt     string // empty where Filed.Text is there to read
	At          int64  // microseconds: of the post, or the Date of the mail
	Received    int64  // microseconds; orders mail threads
	Folders     []parley.FolderID
	Before      []parley.FolderID // what restore brings back
	Keywords    []parley.Keyword
	Size        int64
	MessageID   string
	To, Cc      []parley.Address
	HasHTML     bool
	Body        Body
	Attachments []Attachment
	ReplyTo     parley.MessageID
	Mentions    []parley.PartID
	About       []parley.PartID // notices
	Signal      parley.Signal
	Evidence    string
	Rule        string
	Arrivals    []parley.Arrival
	Content     parley.Digest // author and own text; tells doubles from others under one Message-ID
	Nodes       []Hash        // in the reference graph; the first is the message's own
	Filed       parley.Revision
	Logged      []parley.Revision // further actions that hold its content
	Revision    parley.Revision
	Draft       Draft // zero for a message that is no draft
}

// maxArrivals bounds what one message remembers of its ways in.
const maxArrivals = 20

// Body says where the text is. At most one is set.
type Body struct {
	InAction bool          // a post's text, in the action that filed it
	InLog    bool          // raw mail in the log family, under the filing action's number
	Blob     parley.Digest // raw mail or a long text
	Mail     bool          // raw RFC 5322, to be parsed; else plain text
}

// Attachment of a message: a blob of its own, or a part of the raw mail.
type Attachment struct {
	parley.Attachment
	Digest parley.Digest // a blob; zero: the part below
	Path   string        // part of the raw mail, "1.2"
}

// Weight implements Page.
func (m *Message) Weight() int {
	n := int(unsafe.Sizeof(*m)) + len(m.Subject) + len(m.Excerpt) + len(m.MessageID) + len(m.Evidence) + 32*len(m.Nodes) + 200
	return n + 200*len(m.Attachments) + 64*(len(m.To)+len(m.Cc)) + 120*len(m.Arrivals) + 32*len(m.Mentions) + 64*len(m.Draft.To)
}

func (m *Message) clone() *Message {
	c := *m
	c.Folders, c.Before, c.Keywords = slices.Clone(m.Folders), slices.Clone(m.Before), slices.Clone(m.Keywords)
	c.Arrivals, c.Logged = slices.Clone(m.Arrivals), slices.Clone(m.Logged)
	return &c
}

func (m *Message) in(f parley.FolderID) bool { return slices.Contains(m.Folders, f) }

func (m *Message) unread() bool {
	return !slices.Contains(m.Keywords, parley.Seen) && !slices.Contains(m.Keywords, parley.Draft)
}

// outside reports whether the message is in a folder other than these.
func (m *Message) outside(these ...parley.FolderID) bool {
	return slices.ContainsFunc(m.Folders, func(f parley.FolderID) bool { return !slices.Contains(these, f) })
}

// order is the message's key in its thread.
// What a split brought is before all that was posted here, by its time.
func (m *Message) order() []byte {
	if m.Moved {
		return append(oldest(m.Received-1<<62), rawID(parley.MessagePrefix, string(m.ID))...)
	}
	if m.Seq > 0 {
		return append(oldest(int64(m.Seq)), rawID(parley.MessagePrefix, string(m.ID))...)
	}
	return append(oldest(m.Received), rawID(parley.MessagePrefix, string(m.ID))...)
}

// Node is a Message-ID (known or only referred to) in the reference graph: all
// messages that name it are in one thread.
type Node struct {
	Thread   parley.ThreadID
	Messages []parley.MessageID // those that carry it as their own id
}

// Weight implements Page.
func (n *Node) Weight() int { return 64 + 48*len(n.Messages) }

// Remembered is the first answer to a command with a key.
type Remembered struct {
	Body     parley.Digest
	Expires  int64 // microseconds
	Revision parley.Revision
	Answer   Answer
}

// Weight implements Page.
func (r *Remembered) Weight() int { return int(unsafe.Sizeof(*r)) + 48*len(r.Answer.Messages) }

// Blob is something that this account may open: an upload, a message's
// attachment, or both.
type Blob struct {
	Message parley.MessageID // "" for an upload alone
	Digest  parley.Digest    // upload
	Name    string
	Type    string
	Bytes   int64
	At      int64 // microseconds
}

// Weight implements Page.
func (b *Blob) Weight() int { return int(unsafe.Sizeof(*b)) + len(b.Name) + len(b.Type) }

// Contact is the last time somebody wrote or was written to.
type Contact struct{ Last int64 } // microseconds

// Weight implements Page.
func (c *Contact) Weight() int { return 8 }
