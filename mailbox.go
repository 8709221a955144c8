package parley

import "time"

// Stats are the figures of GET /v1/mailbox.
type Stats struct {
	Bytes          int64
	Messages       int64
	Threads        int64
	Replies        int64 // messages of the owner that answer another
	ActiveContacts int64 // who wrote or was written to in the last 30 days
	Badge          int64
	Other          int64 // unread threads in Other
	Revision       Revision
	LastAudit      time.Time
}

// Page asks for part of a list. After and Before are keys handed out with an
// earlier page; at most one is set. End asks for the last page.
type Page struct {
	After, Before string
	End           bool
	Limit         int
	Number        int  // from 1: the page of that number, instead of After and Before
	Notices       bool // of a room's messages: what else happened, too
}

// MaxPage and DefaultPage bound the lists of /v1.
const (
	MaxPage     = 200
	DefaultPage = 50
)

// ThreadQuery selects threads, newest first.
type ThreadQuery struct {
	Folder      FolderID // "" all but Spam and Trash
	Label       FolderID
	Unread      *bool
	Flagged     *bool // has a flagged message outside Spam and Trash
	Muted       *bool
	Channel     Channel // has a message that came so
	Participant string  // account id or address
	Kind        Kind
	Page        Page
}

// Listing is one page. Next is passed back as After, Prev as Before; "" when there is none.
type Listing[T any] struct {
	Items      []T
	Next, Prev string
	Total      int64 // of the whole list where it is known without counting; -1 else
	Revision   Revision
}

// Change is what PATCH does to messages: absent fields stay.
type Change struct {
	Seen    *bool
	Flagged *bool
	Folders []FolderID // replaces the folders, when not nil; labels stay
	Labels  []FolderID // replaces the labels, when not nil
	Add     []FolderID // folders and labels
	Remove  []FolderID
}

// ThreadChange is what PATCH does to a thread in one's own copy, and to the room
// where Subject, Open or History is set.
type ThreadChange struct {
	Change
	Archived *bool
	Muted    *bool
	Subject  *string
	Open     *bool
	History  *History
}

// NewRoom asks for a room. The maker is a moderator.
type NewRoom struct {
	To      []Recipient
	Subject string
	History History
	Open    bool
	First   *Post
}

// MaxCarried is how many earlier messages a room takes along from a mail thread.
const MaxCarried = 100

// RoomOfMail asks for a room that begins with messages of a mail thread: those
// named, or the newest that fit when none is.
type RoomOfMail struct {
	NewRoom
	Messages []MessageID
}

// RoomPreview says what such a room would be.
type RoomPreview struct {
	Subject      string
	Participants []Participant
	Outside      []Author  // who is in the mail thread and would not be in the room
	Messages     []Message // what all participants would read
	Earlier      int64     // messages that would stay behind
}

// Recipient names whom to add: an account or an address.
type Recipient struct {
	Account AccountID
	Address string
	Role    Role
}

// Post is a message for a room.
type Post struct {
	Text          string
	Attachments   []BlobID
	ReplyTo       MessageID
	Mentions      []PartID
	RosterVersion Seq // 0: the author did not say
}

// Posted answers a post.
type Posted struct {
	Message  Message
	Revision Revision // of the author's copy; 0 when the copy has not yet come
	Replayed bool
}

// Split names what goes: some messages of a thread, or all from one on.
type Split struct {
	Subject  string // of a room that is made; "": as the old one's
	Messages []MessageID
	From     MessageID
}

// Undone answers an undo: how much got back what it had, and how much was changed
// again since and stayed.
type Undone struct {
	Undone, Skipped int64
	Revision        Revision // its own, by which it can be undone in turn
}

// EventType names what happened in a copy.
type EventType string

// The events of the stream that the core produces.
const (
	MessageCreated    EventType = "message.created"
	MessageUpdated    EventType = "message.updated"
	MessageRemoved    EventType = "message.removed"
	ThreadUpdated     EventType = "thread.updated"
	ThreadRemoved     EventType = "thread.removed"
	ParticipantJoined EventType = "participant.joined"
	ParticipantLeft   EventType = "participant.left"
	ParticipantUpdate EventType = "participant.updated"
	CountsChanged     EventType = "counts"
	MentionMade       EventType = "mention"
	DraftCreated      EventType = "draft.created"
	DraftUpdated      EventType = "draft.updated"
	DraftRemoved      EventType = "draft.removed"
	FolderCreated     EventType = "folder.created"
	FolderUpdated     EventType = "folder.updated"
	FolderRemoved     EventType = "folder.removed"
	JobUpdated        EventType = "job.updated"
	JobFinished       EventType = "job.done" // in whatever way
)

// Event is one thing that happened in a copy. Its id is Revision.Index, so that
// a cut inside an action loses nothing.
type Event struct {
	Revision Revision
	Index    int
	Type     EventType
	At       time.Time
	Thread   ThreadID
	Message  MessageID
	Parts    []PartID // whom a participant event is about
	Folder   FolderID // what a folder event is about
	Badge    int64    // counts
	Other    int64
	Job      *Job      // as far as it is now told: no times
	Cause    CommandID // zero when nobody here asked
}

// Envelope is what the transport says of a mail, apart from its headers.
type Envelope struct {
	From string // "" for the null sender
	To   []EnvelopeTo
	At   time.Time
}

// EnvelopeTo is one recipient, resolved to the account that gets the mail.
type EnvelopeTo struct {
	Address string
	Account AccountID
}

// Own reports whether the change is also about the copy, not the room alone.
func (c ThreadChange) Own() bool {
	return c.Seen != nil || c.Flagged != nil || c.Folders != nil || c.Labels != nil || c.Add != nil || c.Remove != nil || c.Archived != nil || c.Muted != nil
}
