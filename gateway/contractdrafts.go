package gateway

import (
	"context"

	"github.com/parley-im/parley"
)

// Drafts is what the gateway needs of the mailboxes' drafts; actors.Client has it.
type Drafts interface {
	Drafts(ctx context.Context, acc parley.AccountID, q parley.DraftQuery, atLeast parley.Revision) (parley.Listing[parley.DraftMessage], error)
	Draft(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (parley.DraftMessage, parley.Revision, error)
	CreateDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewDraft) (d parley.DraftMessage, rev parley.Revision, replayed bool, err error)
	// ChangeDraft, DiscardDraft and SendDraft fail with AlreadySent for what was
	// sent or is being sent.
	ChangeDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID, c parley.DraftChange) (d parley.DraftMessage, rev parley.Revision, replayed bool, err error)
	DiscardDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (rev parley.Revision, replayed bool, err error)
	SendDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Posted, error)
}
