package actors

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// People who talk at their own pace write the changed blocks of the projection
// now and then, not with each message.
func TestConversationFlushesNowAndThen(t *testing.T) {
	var passed atomic.Int64
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := func() time.Time { return begin.Add(time.Duration(passed.Load())) }
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"), func(c *Config) { c.Now = now })
	ana, bo := accountID("ana"), accountID("bo")
	at := func(key string) parley.Command { return parley.Command{ID: testSecret.Command(ana, key), First: now()} }
	th, _, _, err := w.c.CreateRoom(ctxFor(t), ana, at("create"), parley.NewRoom{To: []parley.Recipient{{Account: bo}}})
	if err != nil {
		t.Fatal(err)
	}
	w.cold(t)
	before := w.store.Counts()
	const n = 24 // two minutes
	for i := range n {
		if _, err := w.c.Post(ctxFor(t), ana, at(fmt.Sprint("p", i)), th.ID, parley.Post{Text: fmt.Sprint("text ", i)}); err != nil {
			t.Fatal(err)
		}
		w.texts(t, "bo", th.ID, i+1)
		passed.Add(int64(5 * time.Second))
	}
	w.cold(t)
	got := w.store.Counts().Since(before)
	// An action and the fence in each of three puts, and six flushes at most, the
	// last one in a put of its own.
	if got.Commits > 3*n+3 || got.CellsPut > 3*2*n+6*30 {
		t.Errorf("%d posts in %v took %d commits of %d cells, want at most %d of %d", n, n*5*time.Second, got.Commits, got.CellsPut, 3*n+3, 3*2*n+6*30)
	}
	w.clean(t)
}
