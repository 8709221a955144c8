package mailbox

import "github.com/parley-im/parley"

// WriteDraft makes a draft, or changes one; what is nil stays.
type WriteDraft struct {
	Cmd     parley.Command
	IfMatch parley.Revision
	ID      parley.MessageID

	// Of a new one. Its thread is one of the copy, or else NewThread, which is
	// derived from the command by the caller.
	New       bool
	Kind      parley.Kind
	Thread    parley.ThreadID
	NewThread parley.ThreadID

	Text        *DraftText
	Subject     *string
	To          *[]parley.Recipient
	Attachments *[]Attachment // opened by the caller for the author
	ReplyTo     *parley.MessageID
	Mentions    *[]parley.PartID
	Roster      *parley.Seq
	Quota       int64
}

// DraftText is the text of a draft; a long one is a blob already.
type DraftText struct {
	Text    string // up to thread.MaxInlineText
	Blob    parley.Digest
	Size    int64
	Excerpt string // of a blob
}

// DiscardDraft removes a draft for good.
type DiscardDraft struct {
	Cmd     parley.Command
	IfMatch parley.Revision
	ID      parley.MessageID
}

// SendDraft notes that a draft is being sent, before anything leaves: from then on
// it stays as it is until the room has delivered it or KeepDraft says that it was
// refused. A reply that is Replayed is of a draft that was sent before.
type SendDraft struct {
	Cmd     parley.Command
	IfMatch parley.Revision
	ID      parley.MessageID
}

// KeepDraft ends the sending of a draft that was refused.
type KeepDraft struct{ ID parley.MessageID }

type (
	// AskDraft reads one draft.
	AskDraft struct{ ID parley.MessageID }
	// AskDrafts lists drafts, the last written first.
	AskDrafts struct{ Query parley.DraftQuery }
	// AskSending lists the drafts that are being sent, the oldest first.
	AskSending struct{}
)

// OneDraft answers AskDraft.
type OneDraft struct {
	Draft    parley.DraftMessage
	Revision parley.Revision
}
