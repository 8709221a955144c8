package actors

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// What answers a message that was split off is with it, also where nothing is in
// memory; a repeat finds the thread that was made; a rebuild keeps the two apart.
func TestSplitOfMail(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	w.tune.pageBudget, w.tune.flushActions = 1, 3
	ana, ctx := accountID("ana"), ctxFor(t)
	for i := 1; i <= 6; i++ {
		if err := w.mail(t, "ana", mailText(i, i-1)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.c.Threads(ctx, ana, parley.ThreadQuery{}, 0)
	if err != nil || len(l.Items) != 1 {
		t.Fatalf("%+v %v", l, err)
	}
	id := l.Items[0].ID
	ms, err := w.c.Messages(ctx, ana, id, "", parley.Page{Limit: 10}, 0)
	if err != nil || len(ms.Items) != 6 {
		t.Fatalf("%d messages, %v", len(ms.Items), err)
	}
	split := parley.Split{From: ms.Items[3].ID}
	made, rev, _, err := w.c.SplitThread(ctx, ana, cmd(ana, "split"), 0, id, split)
	if err != nil {
		t.Fatal(err)
	}
	again, rev2, replayed, err := w.c.SplitThread(ctx, ana, cmd(ana, "split"), 0, id, split)
	if err != nil || !replayed || again != made || rev2 != rev {
		t.Errorf("the repeat says %s at %d, %t, %v; want %s at %d", again, rev2, replayed, err, made, rev)
	}
	for i, parent := range []int{6, 2} {
		if err := w.mail(t, "ana", mailText(7+i, parent)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[parley.ThreadID]int64{id: 4, made: 4}
	for id, n := range want {
		if th, _, err := w.c.Thread(ctx, ana, id, 0); err != nil || th.Messages != n {
			t.Errorf("%s has %d messages, %v; want %d", id, th.Messages, err, n)
		}
	}
	w.clean(t)
	if u, _, err := w.c.Undo(ctx, ana, cmd(ana, "undo"), rev); err != nil || u.Undone != 3 {
		t.Errorf("the undo says %+v, %v", u, err)
	}
	if th, _, err := w.c.Thread(ctx, ana, made, 0); err != nil || th.ID != id || th.Messages != 8 {
		t.Errorf("the new thread's id leads to %+v, %v", th, err)
	}
	w.clean(t)
}
