package mailbox_test

import (
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// All actions of a series are undone, as a series, and undone again.
func TestUndoOfSeries(t *testing.T) {
	l := newLong(t, 1200)
	id, yes := l.room.id, true
	archive := mailbox.ChangeThread{Cmd: key(1), Job: job(1), Thread: id, Change: parley.ThreadChange{Archived: &yes, Muted: &yes}}
	r := l.tell(archive)
	r.Revision = l.twins.whole.Last() // of the job at its end
	if l.count(parley.Inbox) != 0 {
		t.Fatalf("%d are left in Inbox", l.count(parley.Inbox))
	}
	l.undone(mailbox.Undo{Cmd: key(2), Revision: r.Revision}, 1201, 0)
	if l.count(parley.Inbox) != 1200 || l.count(parley.Archive) != 0 {
		t.Errorf("%d are back in Inbox, %d still in Archive", l.count(parley.Inbox), l.count(parley.Archive))
	}
	again := l.tell(mailbox.Undo{Cmd: key(2), Revision: r.Revision})
	if !again.Replayed || again.Undone.Undone != 1201 {
		t.Errorf("the repeat says %+v", again)
	}
	l.undone(mailbox.Undo{Cmd: key(3), Revision: again.Revision}, 1201, 0)
	if l.count(parley.Archive) != 1200 {
		t.Errorf("%d are in Archive again", l.count(parley.Archive))
	}
	_, err := l.twins.do(mailbox.Undo{Cmd: key(4), Revision: r.Revision - 1}, l.now)
	if parley.CodeOf(err) != parley.NotUndoable {
		t.Errorf("a part alone: got %v, want not undoable", err)
	}
	l.twins.settle()
}

// A job is undone whole once it is over, also one that was canceled, and an undo
// that was cut off goes on where it was.
func TestUndoAfterCrash(t *testing.T) {
	for _, canceled := range []bool{false, true} {
		l := newLong(t, 1700)
		read := mailbox.ChangeThread{Cmd: key(1), Job: job(1), Thread: l.room.id, Change: parley.ThreadChange{Change: parley.Change{Seen: new(true)}}}
		l.cut(read, 3)
		if _, err := l.twins.once(mailbox.Undo{Cmd: key(9), Revision: l.twins.whole.Last()}, l.now); parley.CodeOf(err) != parley.NotUndoable {
			t.Errorf("a job that runs: got %v, want not undoable", err)
		}
		changed := int64(1700)
		if canceled {
			l.tell(mailbox.CancelJob{Job: job(1)})
			changed = 300
		}
		l.twins.work(l.now)
		undo := mailbox.Undo{Cmd: key(2), Revision: l.twins.whole.Last()}
		l.cutSeries(undo, 2)
		l.undone(undo, changed, 0)
		it, err := l.twins.whole.Thread(l.room.id)
		if err != nil || it.Thread.Unread != 1700 {
			t.Errorf("%d are unread, want 1700, %v", it.Thread.Unread, err)
		}
		if _, err := l.twins.do(mailbox.Undo{Cmd: key(3), Revision: undo.Revision}, l.now); parley.CodeOf(err) != parley.AlreadyUndone {
			t.Errorf("another undo: got %v, want already undone", err)
		}
		l.twins.settle()
	}
}

// undone carries out an undo and holds its answer to what it came to.
func (l *long) undone(cmd mailbox.Undo, undone, skipped int64) {
	l.Helper()
	if r := l.tell(cmd); r.Undone != (mailbox.Undone{Undone: undone, Skipped: skipped}) {
		l.Fatalf("undo of %d: got %+v, want %d undone, %d skipped", cmd.Revision, r.Undone, undone, skipped)
	}
}
