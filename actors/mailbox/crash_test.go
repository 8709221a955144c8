package mailbox_test

import (
	"fmt"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// A job that a crash cuts leaves a whole state, and goes on from the first message
// not yet done: a deletion that began to move to Trash does not purge, whatever
// is left.
func TestCutDeletion(t *testing.T) {
	for _, tc := range []struct{ all, parts int }{{501, 1}, {1001, 2}} {
		t.Run(fmt.Sprintf("%d after %d parts", tc.all, tc.parts), func(t *testing.T) {
			l := newLong(t, tc.all)
			th, err := l.twins.whole.Thread(l.room.id)
			if err != nil {
				t.Fatal(err)
			}
			del := mailbox.ChangeThread{Cmd: key(1), Job: job(1), IfMatch: th.Thread.Revision, Thread: l.room.id, Op: mailbox.OpDelete}
			l.cut(del, tc.parts)
			if got := l.count(parley.Trash); got != int64(100*tc.parts) {
				t.Fatalf("%d are in Trash", got)
			}
			l.twins.settle()
			other := del
			other.Cmd.Body = digest("another")
			if _, err := l.twins.once(other, l.now); parley.CodeOf(err) != parley.KeyMismatch {
				t.Errorf("another body under the key of a job: %v", err)
			}
			if d, err := l.twins.once(del, l.now); err != nil || d.Reply.Job != job(1) || !d.Reply.Replayed || len(d.Actions) > 0 {
				t.Errorf("a repeat: got %+v, %v", d, err)
			}
			l.twins.work(l.now)
			l.naive.threads[l.room.id].Revision = th.Thread.Revision
			if _, err := l.naive.do(del, l.now, mailbox.Reply{}); err != nil {
				t.Fatal(err)
			}
			if l.compare(); l.count(parley.Trash) != int64(tc.all) {
				t.Errorf("%d are in Trash", l.count(parley.Trash))
			}
		})
	}
}

// A revision that was asked for holds when the job begins; its own parts are not
// in its way.
func TestCutChange(t *testing.T) {
	l := newLong(t, 501)
	th, err := l.twins.whole.Thread(l.room.id)
	if err != nil {
		t.Fatal(err)
	}
	read := mailbox.ChangeThread{Cmd: key(1), Job: job(1), IfMatch: th.Thread.Revision, Thread: l.room.id}
	read.Change.Seen = new(true)
	l.cut(read, 1)
	other := read
	other.Cmd, other.Job = key(2), job(2)
	if _, err := l.twins.once(other, l.now); parley.CodeOf(err) != parley.Stale {
		t.Errorf("another command on the same revision: %v", err)
	}
	l.twins.work(l.now)
	if _, err := l.naive.do(read, l.now, mailbox.Reply{}); err != nil {
		t.Fatal(err)
	}
	l.compare()
}

// The last part may find all in Trash by other ways, and still does not purge.
func TestCutDeletionOfRest(t *testing.T) {
	l := newLong(t, 600)
	l.cut(mailbox.ChangeThread{Cmd: key(1), Job: job(1), Thread: l.room.id, Op: mailbox.OpDelete}, 1)
	if _, err := l.twins.once(mailbox.ChangeMessages{Messages: l.room.posts[500:], Change: parley.Change{Folders: []parley.FolderID{parley.Trash}}}, l.now); err != nil {
		t.Fatal(err)
	}
	if l.twins.work(l.now); l.count(parley.Trash) != 600 {
		t.Errorf("%d of 600 are in Trash", l.count(parley.Trash))
	}
}

// A purge that was cut goes on where it was, and leaves alone what came since.
func TestCutPurge(t *testing.T) {
	l, id := newLongMail(t, 600)
	l.tell(mailbox.ChangeThread{Cmd: key(1), Job: job(1), Thread: id, Op: mailbox.OpDelete})
	purge := mailbox.ChangeThread{Cmd: key(2), Job: job(2), Thread: id, Op: mailbox.OpDelete}
	l.cut(purge, 1)
	if got := l.count(parley.Trash); got != 500 {
		t.Fatalf("%d are in Trash", got)
	}
	l.twins.settle()
	if d, err := l.twins.once(l.letter(600).command(), l.now); err != nil || d.Reply.Thread != id {
		t.Fatalf("got %+v, %v", d.Reply, err)
	}
	l.twins.work(l.now)
	if r := l.tell(purge); !r.Replayed || l.count(parley.Trash) != 0 || l.count(parley.Inbox) != 1 {
		t.Errorf("%d are left, and %d in Inbox; %+v", l.count(parley.Trash), l.count(parley.Inbox), r)
	}
	l.twins.settle()
}

// A purge ends with the last message, and its repeat finds the answer although
// the thread is gone.
func TestPurgeOfWholeParts(t *testing.T) {
	for _, n := range []int{500, 501} {
		l, id := newLongMail(t, n)
		for i, again := range []bool{false, false, true} {
			if r := l.tell(mailbox.ChangeThread{Cmd: key(min(i, 1)), Job: job(min(i, 1)), Thread: id, Op: mailbox.OpDelete}); r.Replayed != again {
				t.Errorf("%d: got %+v", i, r)
			}
		}
		st, err := l.twins.whole.Stats(l.now)
		if err != nil || st.Messages != 0 || st.Bytes != 0 || st.Threads != 0 {
			t.Errorf("got %+v, %v", st, err)
		}
		l.twins.settle()
	}
}

// A long thread that turns out to be part of a longer one moves in parts.
func TestMergeOfLongThreads(t *testing.T) {
	l, id := newLongMail(t, 512)
	other := mailbox.Reply{}
	for i := range 502 {
		m := l.letter(i)
		m.id, m.replies = fmt.Sprint("other ", i), []string{"other 0"}
		other = l.twins.grow(m.command(), l.now)
	}
	l.twins.store()
	bridge := l.letter(0)
	bridge.id, bridge.replies, bridge.references = "bridge", []string{"other 3"}, []string{"long 7"}
	d, err := l.twins.once(bridge.command(), l.now)
	if err != nil || len(d.Actions) != 3 || d.Reply.Thread != id {
		t.Fatalf("%d actions, thread %s, %v; want 502 messages in two parts and the bridge, in %s", len(d.Actions), d.Reply.Thread, err, id)
	}
	if it, err := l.twins.whole.Thread(other.Thread); err != nil || it.Thread.ID != id || it.Thread.Messages != 1015 {
		t.Errorf("got %+v, %v", it.Thread, err)
	}
	l.twins.settle()
}
