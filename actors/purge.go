package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/wire"
	"github.com/parley-im/parley/persistence"
)

// PurgeReport says what was done so that nothing is left of what an account purged.
type PurgeReport struct {
	Segments  int64 `json:"segments"`  // of the log, written anew
	Actions   int64 `json:"actions"`   // blanked in them
	Bytes     int64 `json:"bytes"`     // by which they are smaller
	Compacted bool  `json:"compacted"` // the store's files hold none of it any more
}

// Purge finishes what an account's purges left to do beside, and has the store
// compact what the account has in it. A store that cannot be asked for that does so
// in its own time, and the report says no.
func (n *Node) Purge(ctx context.Context, acc parley.AccountID) (PurgeReport, error) {
	rep, err := n.finishPurge(ctx, acc)
	if err != nil {
		return rep, fmt.Errorf("finish the purges of %s: %w", acc, err)
	}
	store, can := n.cfg.Store.(persistence.Compacter)
	if !can {
		return rep, nil
	}
	for _, t := range []persistence.Table{persistence.Mailbox, persistence.Archive} {
		switch err := store.Compact(ctx, t, parley.RowKey(string(acc))); {
		case errors.Is(err, errors.ErrUnsupported):
			return rep, nil
		case err != nil:
			return rep, fmt.Errorf("compact table %s: %w", t, err)
		}
	}
	rep.Compacted = true
	return rep, nil
}

func (n *Node) finishPurge(ctx context.Context, acc parley.AccountID) (PurgeReport, error) {
	for first := true; ; first = false {
		done, err := askMailbox[wire.Purged](ctx, n.client, acc, wire.FinishPurge{First: first}, 0)
		if err != nil || !done.Left {
			return PurgeReport{Segments: int64(done.Segments), Actions: int64(done.Actions), Bytes: int64(done.Bytes)}, err
		}
	}
}
