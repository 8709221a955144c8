package mailbox

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// Deliver brings a room's events. Taking them asks only for an unbroken chain
// (thread.Delivery); the answer is the last sequence the copy now holds.
type Deliver struct {
	Room       parley.ThreadID
	Deliveries []thread.Delivery
	// Blobs are the outside names, for this account, of each delivery's
	// attachments, in order.
	Blobs [][]parley.BlobID
	// Notices are ids for the deliveries that are not posts, in order.
	Notices []parley.MessageID
}

// DeliverMail brings a parsed message from the mail door or an import.
type DeliverMail struct {
	Cmd      parley.Command
	KeyLife  time.Duration // how long the door remembers; 0: not at all
	Envelope parley.Arrival
	Message  Message // parsed: header fields, body, attachments; no place yet
	// Nodes of the reference graph: the message's own first, then what it
	// refers to, strongest signal first. Signals and Evidence name them.
	Nodes    []Hash
	Signals  []parley.Signal
	Evidence []string
	// NewThread and Message.ID are derived from the command by the caller.
	NewThread parley.ThreadID
	Import    bool
	Folders   []parley.FolderID // import: nil lets the rules choose
	Keywords  []parley.Keyword
	BornRead  bool // import older than the account
	Raw       []byte
	Quota     int64
}

// ChangeMessages sets folders and keywords of messages named one by one.
type ChangeMessages struct {
	Cmd      parley.Command
	IfMatch  parley.Revision
	Messages []parley.MessageID // at most MaxTouched
	Change   parley.Change
}

// ChangeMany does the same to as many as parley.MaxListed; those that are not here
// or were changed after IfMatch are counted and left alone. Job is its id if it
// becomes one.
type ChangeMany struct {
	Cmd      parley.Command
	Job      parley.JobID
	IfMatch  parley.Revision
	Messages []parley.MessageID
	Change   parley.Change
}

// ReadFolder marks all messages now in a folder read.
type ReadFolder struct {
	Cmd    parley.Command
	Job    parley.JobID
	Folder parley.FolderID
}

// ChangeThread does the same to all messages now in the thread, and sets what
// sticks to it.
type ChangeThread struct {
	Cmd     parley.Command
	IfMatch parley.Revision
	Thread  parley.ThreadID
	Change  parley.ThreadChange
	Op      ThreadOp
	Job     parley.JobID
}

// ThreadOp is what to do to a thread besides Change.
type ThreadOp uint8

// Delete moves to Trash, and again from there purges; Restore brings back. A
// Work knows further ones, which no command from outside has.
const (
	OpNone ThreadOp = iota
	OpDelete
	OpRestore
)

// DeleteMessage moves a message to Trash, and again from there purges it.
type DeleteMessage struct {
	Cmd     parley.Command
	IfMatch parley.Revision
	Message parley.MessageID
}

// Upload makes a durable blob the account's.
type Upload struct {
	Cmd  parley.Command
	ID   parley.BlobID
	Blob Blob
}

// SplitThread moves messages of a mail thread into one of their own: those named,
// or all from one on.
type SplitThread struct {
	Cmd       parley.Command
	IfMatch   parley.Revision
	Thread    parley.ThreadID
	Messages  []parley.MessageID // at most MaxTouched
	From      parley.MessageID
	NewThread parley.ThreadID // derived from the command by the caller
}

// MergeThreads makes one of two mail threads. The larger keeps its id.
type MergeThreads struct {
	Cmd          parley.Command
	IfMatch      parley.Revision
	Thread, With parley.ThreadID
}

// Undo takes back what the command of the owner did whose last action is Revision.
type Undo struct {
	Cmd      parley.Command
	Revision parley.Revision
}

// CreateFolder makes a folder or label; its id is derived from the command.
type CreateFolder struct {
	Cmd    parley.Command
	ID     parley.FolderID
	Name   string
	Parent parley.FolderID
	Color  string
}

// ChangeFolder renames, moves or colours a folder or label.
type ChangeFolder struct {
	Cmd     parley.Command
	IfMatch parley.Revision
	ID      parley.FolderID
	Change  parley.FolderChange
}

// DeleteFolder deletes a folder or label that has none below it. Thread and After
// say how far a series has looked.
type DeleteFolder struct {
	Cmd      parley.Command
	IfMatch  parley.Revision
	ID       parley.FolderID
	Messages parley.Leaving
	Thread   parley.ThreadID
	After    []byte
}

// Close ends the mailbox.
type Close struct{}

// Reply answers every command.
type Reply struct {
	Revision parley.Revision
	Replayed bool
	Last     parley.Seq // Deliver: what the copy holds
	Messages []parley.MessageID
	Thread   parley.ThreadID
	Blob     parley.BlobID
	Folder   parley.FolderID
	Filed    bool // DeliverMail: the message is new in this copy
	Undone   Undone
	Job      parley.JobID
	Tally    parley.Tally
	Reread   []Reread // Reparse
}

// Decision is what a command comes to.
type Decision struct {
	Actions []Action
	Raw     map[parley.Revision][]byte // raw mail to store beside these actions
	Blank   []parley.Revision          // actions to blank, and raw mail to drop, in the same commit
	Reply   Reply
	Next    any // not nil: the command goes on as this one, and its Reply counts
}
