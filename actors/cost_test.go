package actors

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// cold waits until no activation is left in memory.
func (w *world) cold(t testing.TB) {
	t.Helper()
	if err := w.Drain(ctxFor(t)); err != nil {
		t.Fatal(err)
	}
}

// TestCostOfAnIsolatedMessage counts store operations of a 1:1 message between
// cold grains, reads and reminder included.
func TestCostOfAnIsolatedMessage(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ana, bo := accountID("ana"), accountID("bo")
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		w.cold(t)
		before := w.store.Counts()
		if _, err := w.c.Post(ctxFor(t), ana, cmd(ana, fmt.Sprint("p", i)), th.ID, parley.Post{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		w.cold(t)
		got := w.store.Counts().Since(before)
		if got.Ops() > 8 {
			t.Errorf("message %d: %d store operations, want 8 or fewer: %+v", i, got.Ops(), got)
		}
	}
	w.clean(t)
}

// TestCostOfABusyMessage: 3 commits and an amortised flush over 100 messages.
func TestCostOfABusyMessage(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ana, bo := accountID("ana"), accountID("bo")
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, "create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}})
	if err != nil {
		t.Fatal(err)
	}
	w.cold(t)
	before := w.store.Counts()
	const n = 100
	for i := range n {
		if _, err := w.c.Post(ctxFor(t), ana, cmd(ana, fmt.Sprint("p", i)), th.ID, parley.Post{Text: strings.Repeat("x", 200)}); err != nil {
			t.Fatal(err)
		}
	}
	w.texts(t, "bo", th.ID, n)
	w.cold(t)
	got := w.store.Counts().Since(before)
	if got.Commits > 3*n+5 {
		t.Errorf("%d commits for %d messages", got.Commits, n)
	}
	t.Logf("per message: %.2f commits, %.2f reads, %.2f operations, %.1f cells, %.0f bytes", float64(got.Commits)/n, float64(got.Reads)/n, float64(got.Ops())/n, float64(got.CellsPut)/n, float64(got.BytesPut)/n)
}
