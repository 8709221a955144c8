package mailbox

import (
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// Action is one entry of the mailbox's log: an outcome, never an input to decide
// again. Exactly one of the pointers is set.
type Action struct {
	N   parley.Revision
	At  time.Time
	Key *Memory // the command's memory, if it has a key

	Filed      *Filed
	Arrived    *Arrived
	Merged     *Merged
	Split      *Split
	Changed    *Changed
	Thread     *ThreadSet
	Purged     *Purged
	Uploaded   *Uploaded
	Closed     *Closed
	Folder     *FolderSet
	FolderGone *FolderGone

	Started    *Started
	Progressed *Progressed

	// A command may come to several actions: Prior is the one before, and More says
	// that this is not the last of them.
	Prior     parley.Revision
	More      bool
	Undoing   *Undoing // set where the action takes others back
	Drafted   *Drafted
	Sending   *Sending
	Discarded *Discarded
	Reparsed  *Reparsed

	Badge, Other int64 // as they stand after the action, for the stream
}

// Memory remembers a command.
type Memory struct {
	ID      parley.CommandID
	Body    parley.Digest
	Expires time.Time
	Answer  Answer
}

// Answer is what a repeated command hears, beside the revision of its action.
type Answer struct {
	Messages []parley.MessageID
	Thread   parley.ThreadID
	Blob     parley.BlobID
	Undone   Undone
	Undoing  parley.Revision // of an undo that goes on: what is next
	Folder   parley.FolderID
	Job      parley.JobID
	Tally    parley.Tally
}

// Filed puts a message or notice into the copy.
type Filed struct {
	Message Message
	Text    string // of a post, up to thread.MaxInlineText
	Room    *RoomSet
	Contact Hash              // whom the message is from or for; zero: nobody
	Blanked bool              // its content is gone for good; structure stays so that the log still folds
	Sent    []parley.Revision // it was a draft of the owner's, which these actions held; now blanked
}

// RoomSet is what an event changes in the copy's picture of the room.
type RoomSet struct {
	Subject  *string
	Open     *bool
	History  *parley.History
	Parts    []parley.Participant // as they stand after the event
	Whole    bool                 // Parts is everyone
	State    parley.PartState     // of the owner, "" unchanged
	Linked   parley.ThreadID      // the owner's mail thread that the room was made of
	Offshoot *thread.Offshoot     // posts went to another room
}

// Arrived records one more way by which a message came, and where it belongs now.
type Arrived struct {
	Message  parley.MessageID
	Thread   parley.ThreadID // that it is in; "" in logs that did not tell
	Arrival  parley.Arrival
	Folders  []parley.FolderID // after it
	Keywords []parley.Keyword  // after it
	Blanked  bool
}

// Merged moves messages of one mail thread into another, since a late message
// showed that they are one conversation.
type Merged struct {
	From, Into parley.ThreadID
	Messages   []parley.MessageID // at most MaxTouched
	Last       bool               // From is empty now and becomes an alias
	Drafts     []parley.MessageID // with the last: they go along
	// ByHand: its owner wanted it. Muted is what From was, Unmuted that Into was not.
	ByHand, Muted, Unmuted bool
}

// MaxTouched is how many entities one action may touch.
const MaxTouched = 500

// Changed sets folders and keywords of messages.
type Changed struct {
	Groups  []Group
	Set     []parley.Keyword
	Clear   []parley.Keyword
	Replace []parley.FolderID // not nil: the folders, whatever they were; labels stay
	Labels  []parley.FolderID // not nil: the labels, whatever they were
	Add     []parley.FolderID
	Remove  []parley.FolderID
	Restore bool // back to the folders before Trash
	// Back gives each message folders and keywords of its own, instead of all else
	// here. Was is what they had before the action, so that it can be taken back.
	Back, Was Places
}

// Group is messages of one thread.
type Group struct {
	Thread   parley.ThreadID
	Messages []parley.MessageID
}

// ThreadSet changes what sticks to a thread in this copy.
type ThreadSet struct {
	Thread parley.ThreadID
	Muted  *bool
	Hidden *bool
}

// Purged removes messages for good.
type Purged struct {
	Groups  []Group
	Actions []parley.Revision // the actions that filed them, now blanked
}

// Uploaded makes a blob the account's to open.
type Uploaded struct {
	ID   parley.BlobID
	Blob Blob
}

// Closed ends the mailbox: nothing more comes in.
type Closed struct{}

// FolderSet makes or changes a folder or label of one's own.
type FolderSet struct {
	Folder  OwnFolder // as it stands after; its revision is that of the action
	Created bool
}

// FolderGone ends a folder that nothing is in and nothing is below.
type FolderGone struct{ ID parley.FolderID }

// Blank returns the action without the content of the messages it filed. What
// the fold needs once they are purged stays: ids, thread, nodes, sizes of nothing.
func (a Action) Blank() Action {
	switch {
	case a.Filed != nil:
		m := a.Filed.Message
		keep := Message{ID: m.ID, Thread: m.Thread, Notice: m.Notice, Seq: m.Seq, Prev: m.Prev, Own: m.Own, Answers: m.Answers,
			Mentioned: m.Mentioned, Channel: m.Channel, At: m.At, Received: m.Received, Folders: m.Folders,
			Keywords: m.Keywords, Size: m.Size, Nodes: m.Nodes, Signal: m.Signal, Filed: m.Filed, Revision: m.Revision}
		keep.Attachments = nameless(m.Attachments)
		a.Filed = &Filed{Message: keep, Room: a.Filed.Room, Contact: a.Filed.Contact, Blanked: true, Sent: a.Filed.Sent}
	case a.Drafted != nil:
		a.Drafted = a.Drafted.blank()
	case a.Reparsed != nil:
		a.Reparsed = a.Reparsed.blank()
	case a.Arrived != nil:
		ar := *a.Arrived
		ar.Arrival, ar.Blanked = parley.Arrival{At: ar.Arrival.At, Channel: ar.Arrival.Channel}, true
		a.Arrived = &ar
	}
	return a
}
