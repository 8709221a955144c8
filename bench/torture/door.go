package torture

import (
	"context"
	"io"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
)

// Door is the way in that players and checks use: the grains themselves, or a
// server's HTTP and LMTP.
type Door interface {
	CreateRoom(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewRoom) (parley.Thread, parley.Revision, bool, error)
	Post(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID, p parley.Post) (parley.Posted, error)
	Join(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID) (parley.Thread, parley.Revision, bool, error)
	Leave(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID) (parley.Revision, bool, error)
	AddParticipant(ctx context.Context, acc parley.AccountID, cmd parley.Command, room parley.ThreadID, r parley.Recipient) (parley.Participant, parley.Revision, bool, error)

	ChangeMessages(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, c parley.Change) (parley.Revision, bool, error)
	ChangeThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID, c parley.ThreadChange) (parley.Outcome, error)
	DeleteMessage(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Revision, bool, error)
	DeleteThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID) (parley.Outcome, error)
	RestoreThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, id parley.ThreadID) (parley.Outcome, error)
	Upload(ctx context.Context, acc parley.AccountID, cmd parley.Command, name, contentType string, r io.Reader) (parley.Attachment, bool, error)

	DeliverMail(ctx context.Context, env parley.Envelope, body io.Reader) []error
	Reader
}

// Reader is the part of a door that changes nothing.
type Reader interface {
	Stats(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) (parley.Stats, error)
	Folders(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) ([]parley.Folder, parley.Revision, error)
	Threads(ctx context.Context, acc parley.AccountID, q parley.ThreadQuery, atLeast parley.Revision) (parley.Listing[parley.Thread], error)
	Thread(ctx context.Context, acc parley.AccountID, id parley.ThreadID, atLeast parley.Revision) (parley.Thread, parley.Revision, error)
	Messages(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, around parley.MessageID, p parley.Page, atLeast parley.Revision) (parley.Listing[parley.Message], error)
	Message(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (parley.Message, parley.Revision, error)
	Raw(ctx context.Context, acc parley.AccountID, id parley.MessageID) (io.ReadCloser, int64, error)
	OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (actors.Content, error)
}

var _ Door = (*actors.Client)(nil)
