package actors

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// An undo reads the logged action, which memory may no longer hold, and the
// pages that it lacks; what it did stands in a rebuilt mailbox, too.
func TestUndoReadsTheLog(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	w.tune.pageBudget, w.tune.flushActions = 1, 10
	ana, ctx := accountID("ana"), ctxFor(t)
	for i := 1; i <= 3; i++ {
		if err := w.mail(t, "ana", mailText(i, i-1)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.c.Threads(ctx, ana, parley.ThreadQuery{}, 0)
	if err != nil || len(l.Items) != 1 {
		t.Fatalf("%+v %v", l, err)
	}
	id, yes := l.Items[0].ID, true
	changed, err := w.c.ChangeThread(ctx, ana, cmd(ana, "archive"), 0, id, parley.ThreadChange{Archived: &yes})
	if err != nil {
		t.Fatal(err)
	}
	for i := range recentActions + 1 {
		if err := w.mail(t, "ana", mailText(10+i, 0)); err != nil {
			t.Fatal(err)
		}
	}
	undo := func(key string, want parley.Code) parley.Undone {
		t.Helper()
		u, _, err := w.c.Undo(ctx, ana, cmd(ana, key), changed.Revision)
		if got := parley.CodeOf(err); (err != nil) != (want != 0) || got != want {
			t.Fatalf("undo: got %v, want code %d", err, want)
		}
		return u
	}
	first := undo("undo", 0)
	if first.Undone != 3 || first.Skipped != 0 || undo("undo", 0) != first {
		t.Errorf("got %+v, then %+v", first, undo("undo", 0))
	}
	undo("another", parley.AlreadyUndone)
	th, _, err := w.c.Thread(ctx, ana, id, first.Revision)
	if err != nil || len(th.Folders) != 1 || th.Folders[0] != parley.Inbox {
		t.Errorf("the thread is in %v, %v; want inbox", th.Folders, err)
	}
	if _, _, err := w.c.Undo(ctx, ana, cmd(ana, "mail"), changed.Revision-1); parley.CodeOf(err) != parley.NotUndoable {
		t.Errorf("undo of a mail that came: %v", err)
	}
	w.clean(t)
}
