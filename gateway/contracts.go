package gateway

import (
	"context"
	"io"
	"time"

	"github.com/parley-im/parley"
)

// Accounts is what the gateway needs of the accounts; package directory has it.
type Accounts interface {
	Create(ctx context.Context, cmd parley.Command, a parley.Account, password string) (acc parley.Account, replayed bool, err error)
	Get(ctx context.Context, id parley.AccountID) (parley.Account, error)
	List(ctx context.Context, p parley.Page) (parley.Listing[parley.Account], error)
	// Update changes one account if its version is ifMatch; 0 is any.
	Update(ctx context.Context, id parley.AccountID, ifMatch uint64, change func(*parley.Account) error) (parley.Account, error)
	PutExternal(ctx context.Context, external string, a parley.Account) (acc parley.Account, created bool, err error)
	Close(ctx context.Context, id parley.AccountID, ifMatch uint64) error
	// Authenticate fails with Unauthenticated when the bearer is unknown,
	// expired or revoked, or its account closed.
	Authenticate(ctx context.Context, bearer string) (parley.Identity, error)
	CreateToken(ctx context.Context, cmd parley.Command, acc parley.AccountID, t parley.Token) (tok parley.Token, secret string, replayed bool, err error)
	Tokens(ctx context.Context, acc parley.AccountID) ([]parley.Token, error)
	DeleteToken(ctx context.Context, acc parley.AccountID, id parley.TokenID) error
}

// Mailboxes is what the gateway needs of the mailbox grains; actors.Client has
// it. Reads wait until the copy has reached atLeast, or fail with Behind.
type Mailboxes interface {
	Foldering
	Drafts
	Transfers
	Stats(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) (parley.Stats, error)
	Folders(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) ([]parley.Folder, parley.Revision, error)
	Threads(ctx context.Context, acc parley.AccountID, q parley.ThreadQuery, atLeast parley.Revision) (parley.Listing[parley.Thread], error)
	Thread(ctx context.Context, acc parley.AccountID, id parley.ThreadID, atLeast parley.Revision) (parley.Thread, parley.Revision, error)
	// Messages lists around a message, or by page when around is "".
	Messages(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, around parley.MessageID, p parley.Page, atLeast parley.Revision) (parley.Listing[parley.Message], error)
	Message(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (parley.Message, parley.Revision, error)
	Explain(ctx context.Context, acc parley.AccountID, id parley.MessageID) (parley.Explanation, error)
	Raw(ctx context.Context, acc parley.AccountID, id parley.MessageID) (io.ReadCloser, int64, error)
	// HTML fails with NotFound for a message that has none.
	HTML(ctx context.Context, acc parley.AccountID, id parley.MessageID) (parley.HTMLBody, error)
	ChangeMessages(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, c parley.Change) (rev parley.Revision, replayed bool, err error)
	// What touches many messages may become a job: then its outcome names it.
	ChangeMany(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, c parley.Change) (parley.Outcome, error)
	ReadFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, f parley.FolderID) (parley.Outcome, error)
	ChangeThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID, c parley.ThreadChange) (parley.Outcome, error)
	// DeleteMessage and DeleteThread move to Trash; again from there, they purge.
	DeleteMessage(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (rev parley.Revision, replayed bool, err error)
	DeleteThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID) (parley.Outcome, error)
	RestoreThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, id parley.ThreadID) (parley.Outcome, error)
	// SplitThread and MergeThreads are about mail threads in one's own copy; id is
	// the thread that was made.
	SplitThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, thread parley.ThreadID, s parley.Split) (id parley.ThreadID, rev parley.Revision, replayed bool, err error)
	MergeThreads(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, thread, with parley.ThreadID) (id parley.ThreadID, rev parley.Revision, replayed bool, err error)
	// Undo fails with NotUndoable for what is no change of the account's own copy,
	// with AlreadyUndone the second time, and with Gone for what is too old.
	Undo(ctx context.Context, acc parley.AccountID, cmd parley.Command, rev parley.Revision) (u parley.Undone, replayed bool, err error)
	Job(ctx context.Context, acc parley.AccountID, id parley.JobID, atLeast parley.Revision) (parley.Job, parley.Revision, error)
	Jobs(ctx context.Context, acc parley.AccountID, p parley.Page, atLeast parley.Revision) (parley.Listing[parley.Job], error)
	// CancelJob leaves one that is over as it is.
	CancelJob(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.JobID) (rev parley.Revision, replayed bool, err error)
	// Upload compares the content too when the command was given before.
	Upload(ctx context.Context, acc parley.AccountID, cmd parley.Command, name, contentType string, r io.Reader) (a parley.Attachment, replayed bool, err error)
	// OpenBlob fails with NotFound for what does not exist and for what the
	// account has no part in.
	OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (BlobContent, error)
	// Events answers what came after (since, index), where an index past the
	// last of its revision is as good as the last; or nothing, after wait. It
	// fails with Resync for what is older than retention.
	Events(ctx context.Context, acc parley.AccountID, since parley.Revision, index int, wait time.Duration, limit int) (events []parley.Event, head parley.Revision, err error)
}

// BlobContent is an open blob; who opened it closes it.
type BlobContent struct {
	Attachment parley.Attachment
	io.ReaderAt
	io.Closer
}

// Rooms is what the gateway needs of the rooms; actors.Client has it. A revision
// of 0 says that the caller's copy has not yet come.
type Rooms interface {
	CreateRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewRoom) (t parley.Thread, rev parley.Revision, replayed bool, err error)
	// MakeRoom makes a room of a mail thread; PreviewRoom says what it would be.
	MakeRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID, r parley.RoomOfMail) (t parley.Thread, rev parley.Revision, replayed bool, err error)
	PreviewRoom(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, r parley.RoomOfMail) (parley.RoomPreview, error)
	Post(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID, p parley.Post) (parley.Posted, error)
	Join(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID) (t parley.Thread, rev parley.Revision, replayed bool, err error)
	Leave(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID) (rev parley.Revision, replayed bool, err error)
	Participants(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, atLeast parley.Revision) (ps []parley.Participant, roster parley.Seq, rev parley.Revision, err error)
	AddParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID, r parley.Recipient) (p parley.Participant, rev parley.Revision, replayed bool, err error)
	// ChangeParticipant and RemoveParticipant fail with Stale when the participants
	// have another version than ifMatch; 0 is any.
	ChangeParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Seq, thread parley.ThreadID, pid parley.PartID, role parley.Role) (p parley.Participant, rev parley.Revision, replayed bool, err error)
	RemoveParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Seq, thread parley.ThreadID, pid parley.PartID) (rev parley.Revision, replayed bool, err error)
}
