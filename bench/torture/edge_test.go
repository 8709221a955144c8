package torture

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/persistence"
)

// edgeKey marks the calls of an edge that is about to die.
type edgeKey struct{}

// dyingEdge is a directory that an edge which dies cannot ask: the edge stops
// between the commit in the room and the author's copy.
type dyingEdge struct{ actors.Accounts }

func (d dyingEdge) Get(ctx context.Context, id parley.AccountID) (parley.Account, error) {
	if ctx.Value(edgeKey{}) != nil {
		return parley.Account{}, parley.E(parley.Unavailable, "torture.edge", "the edge is gone")
	}
	return d.Accounts.Get(ctx, id)
}

// cutAtCommit ends an edge's context when the room's commit has landed.
type cutAtCommit struct {
	persistence.Store
	cut atomic.Pointer[context.CancelFunc]
}

func (c *cutAtCommit) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	err := c.Store.Commit(ctx, t, row, check, cells)
	if cut := c.cut.Load(); t == persistence.Thread && err == nil && cut != nil {
		(*cut)()
	}
	return err
}

// TestEdgeDiesAfterTheCommit: what an edge did not bring to the author's copy, the
// room does, within seconds and once, also when the author repeats.
func TestEdgeDiesAfterTheCommit(t *testing.T) {
	var cutter *cutAtCommit
	for _, tc := range []struct {
		name string
		post func(ctx context.Context, post func(context.Context))
		cfg  LifeConfig
	}{
		{"between commit and copy", func(ctx context.Context, post func(context.Context)) {
			post(context.WithValue(ctx, edgeKey{}, true))
		}, LifeConfig{WrapAccounts: func(a actors.Accounts) actors.Accounts { return dyingEdge{a} }}},
		{"with the commit", func(ctx context.Context, post func(context.Context)) {
			ctx, cut := context.WithCancel(ctx)
			defer cut()
			cutter.cut.Store(&cut)
			post(ctx)
		}, LifeConfig{WrapStore: func(s persistence.Store) persistence.Store { cutter = &cutAtCommit{Store: s}; return cutter }}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			play := NewPlay(1, Secret(), 2, time.Now)
			tc.cfg.FS, tc.cfg.Secret = vfs.NewMem(), play.Secret
			l, err := Open(tc.cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			if err := play.Enrol(t.Context(), l.Directory); err != nil {
				t.Fatal(err)
			}
			ana := play.players[0]
			ana.create(t.Context(), l.Node.Client())
			room := play.Rooms()[0]
			tc.post(t.Context(), func(ctx context.Context) { ana.post(ctx, l.Node.Client(), room) })
			o := play.H.Ops()[len(play.H.Ops())-1]
			if o.Outcome == Refused {
				t.Fatal(o.Refusal)
			}
			await(t, l, play, room, o.Word)
			play.Ask(t.Context(), l.Node.Client(), o)
			if o.Outcome != Done {
				t.Errorf("%v", o)
			}
			if err := l.Settle(t.Context()); err != nil {
				t.Error(err)
			}
			for _, p := range play.Check(t.Context(), l) {
				t.Error(p)
			}
		})
	}
}

// await waits until the author's copy has the word.
func await(t *testing.T, l *Life, play *Play, room parley.ThreadID, word string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(10 * time.Second); ; {
		got, err := l.Node.Client().Messages(t.Context(), play.People[0].Account, room, "", parley.Page{Limit: 100}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range got.Items {
			if words.FindString(m.Text) == word {
				return
			}
		}
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("after 10 s the author's copy has %d messages and not %s", len(got.Items), word)
		}
	}
}
