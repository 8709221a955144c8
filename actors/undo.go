package actors

import (
	"context"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
)

// asBeside has the logged action read that a command lacks, once it lacks no pages.
func (m *mailboxMachine) asBeside(cmd any, err error) error {
	need, ok := mailbox.IsNeed(err)
	recaller, is := cmd.(mailbox.Recaller)
	if !ok || !is || len(need.Actions) != 1 {
		return err
	}
	n := need.Actions[0]
	raw := m.recent(uint64(n)) // in the queue; what is not durable yet is there alone
	return &besideError{func(ctx context.Context) (any, error) {
		var err error
		if raw == nil {
			raw, err = m.texts.action(ctx, n)
		}
		if err != nil {
			return nil, err
		}
		a, err := codec.DecodeAction(raw)
		return recaller.Recall(a), err
	}}
}

// action reads a logged action in stored form.
func (t *rowTexts) action(ctx context.Context, n parley.Revision) ([]byte, error) {
	at := logCell{'a', uint64(n)}
	got, err := t.history.cells(ctx, []logCell{at})
	if err != nil {
		return nil, parley.Wrap(parley.Unavailable, "mailbox.undo", err)
	}
	if got[at] == nil {
		return nil, &parley.Error{Code: parley.Gone, Op: "mailbox.undo", Public: "this was done too long ago to be undone", Err: fmt.Errorf("action %d is not in the row", n)}
	}
	return got[at], nil
}

// Undo takes back what the caller's command did whose answer had this revision.
func (c *Client) Undo(ctx context.Context, acc parley.AccountID, cmd parley.Command, rev parley.Revision) (parley.Undone, bool, error) {
	cmd = c.named(cmd) // a repeat must not find its own work done already
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.Undo{Cmd: cmd, Revision: rev}, 0)
	return parley.Undone{Undone: r.Undone.Undone, Skipped: r.Undone.Skipped, Revision: r.Revision}, r.Replayed, err
}
