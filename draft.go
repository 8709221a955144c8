package parley

import "time"

// DraftMessage is a message that its author has not sent yet. It has the keyword $draft
// and is in the folder drafts; it keeps its id when it is sent.
type DraftMessage struct {
	ID            MessageID
	Thread        ThreadID // where it will be posted, or a thread that has only drafts
	Alone         bool     // the thread was made for it: sending makes the room
	Kind          Kind     // of what it will be
	To            []Recipient
	Subject       string // of the room to be made
	Text          string
	Excerpt       string
	Attachments   []Attachment
	ReplyTo       MessageID
	Mentions      []PartID
	RosterVersion Seq       // the participants that the author saw; 0: not said
	Sending       time.Time // since when it is being sent; zero: it is not
	Size          int64
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Revision      Revision
}

// DraftChange is what changes in a draft: absent fields stay. To and Subject are
// those of a draft that makes its room.
type DraftChange struct {
	To            *[]Recipient
	Subject       *string
	Text          *string
	Attachments   *[]BlobID
	ReplyTo       *MessageID
	Mentions      *[]PartID
	RosterVersion *Seq
}

// NewDraft asks for a draft: for a thread of the copy, or for one to be made.
type NewDraft struct {
	Thread ThreadID
	Kind   Kind // without a thread; "" is a room
	DraftChange
}

// DraftQuery selects drafts, the last written first.
type DraftQuery struct {
	Thread ThreadID // "" is all
	Page   Page
}

// MaxDrafts bounds the drafts of an account.
const MaxDrafts = 500
