package parley

import "time"

// Kind tells the two kinds of threads apart.
type Kind string

// A mail thread is local to one copy; a room has a grain and participants.
const (
	KindMail Kind = "mail"
	KindRoom Kind = "room"
)

// Channel is how a message came or a participant is reached.
type Channel string

// The channels.
const (
	ChannelChat   Channel = "chat"
	ChannelMail   Channel = "mail"
	ChannelSMS    Channel = "sms"
	ChannelImport Channel = "import"
)

// History is what a newcomer sees of the time before.
type History string

// History of a room; it is stamped on each message when posted.
const (
	HistoryJoined History = "joined"
	HistoryAll    History = "all"
)

// Role of a participant.
type Role string

// Moderators add and remove participants and change the room.
const (
	RoleModerator Role = "moderator"
	RoleMember    Role = "member"
)

// PartState is where a participant stands.
type PartState string

// The states that the embedded core produces; opted_out and bouncing belong to outside channels.
const (
	StateInvited PartState = "invited"
	StateIn      PartState = "in"
	StateLeft    PartState = "left"
)

// Participant is a person in a room.
type Participant struct {
	ID      PartID
	Account AccountID // "" for somebody outside
	Address string    // e-mail address or phone number; shown to accounts in the room
	Name    string
	Channel Channel
	Role    Role
	State   PartState
}

// Folder ids of the fixed folders are their roles.
const (
	Inbox   FolderID = "inbox"
	Other   FolderID = "other"
	Archive FolderID = "archive"
	Sent    FolderID = "sent"
	Drafts  FolderID = "drafts"
	Spam    FolderID = "spam"
	Trash   FolderID = "trash"
)

// FixedFolders in the order in which they are shown.
var FixedFolders = [...]FolderID{Inbox, Other, Archive, Sent, Drafts, Spam, Trash}

// Counts are RFC 8621 section 2's, for one folder.
type Counts struct {
	Messages, Unread, Threads, UnreadThreads int64
}

// Folder is what IMAP and JMAP call a mailbox.
type Folder struct {
	ID     FolderID
	Name   string
	Role   string // of a fixed folder
	Kind   string // KindFolder or KindLabel
	Parent FolderID
	Color  string // "#rrggbb" or ""
	Counts Counts
	// Revision is that of the last action that changed the folder itself; 0 for
	// the fixed ones.
	Revision Revision
}

// Keyword is a protocol flag of a message (RFC 8621 4.1.1).
type Keyword string

// The keywords that parley itself reads.
const (
	Seen     Keyword = "$seen"
	Flagged  Keyword = "$flagged"
	Answered Keyword = "$answered"
	Draft    Keyword = "$draft"
)

// Thread is a conversation in a copy.
type Thread struct {
	ID            ThreadID
	Kind          Kind
	Subject       string
	Excerpt       string
	Messages      int64
	Unread        int64
	Folders       []FolderID // union over its messages, sorted
	Muted         bool
	LastMessage   MessageID
	LastAt        time.Time
	LastAuthor    Author
	Participants  []Participant // of a room, as of the last event in this copy
	Authors       []Author      // of a mail thread: who wrote, at most 20
	RosterVersion Seq           // of a room: the event that last changed the participants
	Seq           Seq           // of a room: last event in this copy
	History       History
	Open          bool
	State         PartState  // of the owner of this copy, in a room
	Linked        []ThreadID // a room, what it was made of or split from, and what was split from it
	Revision      Revision   // last action that touched the thread
}

// Author of a message.
type Author struct {
	Account AccountID
	Part    PartID
	Name    string
	Address string // mail threads, or shown to accounts in the room
}

// Address of a mail header.
type Address struct{ Name, Addr string }

// Attachment of a message; Blob opens it for the owner of the copy.
type Attachment struct {
	Blob   BlobID
	Name   string
	Type   string
	Size   int64
	Inline bool
	CID    string
}

// HTMLBody is the HTML of a mail as its sender wrote it, hostile until made safe.
type HTMLBody struct {
	HTML    string
	Subject string
	Parts   []Attachment // of the same message: what cid: may name
}

// Message in a copy.
type Message struct {
	ID          MessageID
	Thread      ThreadID
	Generation  uint32
	Notice      Notice // "" for a message; else what happened in the room
	Seq         Seq    // rooms
	Author      Author
	Channel     Channel
	Subject     string
	Text        string
	HasHTML     bool
	Excerpt     string
	Attachments []Attachment
	Mentions    []PartID
	ReplyTo     MessageID
	At          time.Time // of the post, or the Date of the mail
	ReceivedAt  time.Time
	Folders     []FolderID
	Keywords    []Keyword
	Size        int64
	MessageID   string // RFC 5322, mail only
	To, Cc      []Address
	Subjects    []PartID // who a notice is about
	Gone        bool     // purged or deleted for good; the body is not served
	Revision    Revision // last action that touched the message
}

// Has reports whether a keyword is set.
func (m *Message) Has(k Keyword) bool {
	for _, have := range m.Keywords {
		if have == k {
			return true
		}
	}
	return false
}

// Notice is a room's event that is not a post.
type Notice string

// The notices.
const (
	NoticeCreated Notice = "created"
	NoticeJoined  Notice = "joined"
	NoticeLeft    Notice = "left"
	NoticeRemoved Notice = "removed"
	NoticeChanged Notice = "changed" // subject, role or setting
	NoticeSplit   Notice = "split"   // posts moved to a room of their own
)

// Signal says why a mail message is in its thread.
type Signal string

// The signals, strongest first.
const (
	SignalRoom        Signal = "room_message_named"
	SignalInReplyTo   Signal = "in_reply_to"
	SignalReferences  Signal = "references"
	SignalThreadIndex Signal = "thread_index"
	SignalNew         Signal = "new"
	SignalPost        Signal = "post" // a room's own message
	SignalSame        Signal = "same_message"
	SignalDraft       Signal = "draft" // its writer's choice, until it is sent
)

// Explanation says why a message is where it is.
type Explanation struct {
	Thread   ThreadID
	Signal   Signal
	Evidence string // the Message-ID or Thread-Index that decided
	Folders  []FolderID
	Rule     string
	Arrivals []Arrival
}

// Arrival is one way by which a message came; a message may have several.
type Arrival struct {
	At      time.Time
	Channel Channel
	From    string // envelope sender
	To      string // envelope recipient
}
