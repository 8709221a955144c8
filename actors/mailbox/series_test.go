package mailbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// long is a mailbox with one long thread, and what the naive one says of it.
type long struct {
	*testing.T
	twins *twins
	naive *naive
	room  *room
	now   time.Time
}

// newLong has n posts in a room.
func newLong(t *testing.T, n int) *long {
	l := &long{T: t, twins: newTwins(t), naive: newNaive(me), now: begin}
	l.room = newRoom("long", l.now, "ana", "me")
	for range n {
		l.post()
	}
	for from := 0; from < len(l.room.seen); from += 400 {
		l.grow(l.room.bring(from, min(from+400, len(l.room.seen))))
	}
	l.twins.store()
	return l
}

// newLongMail has n mails in a thread. The naive mailbox would take too long here.
func newLongMail(t *testing.T, n int) (*long, parley.ThreadID) {
	l := &long{T: t, twins: newTwins(t), now: begin}
	r := mailbox.Reply{}
	for i := range n {
		r = l.twins.grow(l.letter(i).command(), l.now)
	}
	l.twins.store()
	return l, r.Thread
}

func (l *long) letter(i int) letter {
	l.now = l.now.Add(time.Second)
	return letter{id: fmt.Sprint("long ", i), replies: []string{"long 0"}, from: "ana@out", text: "x", at: l.now}
}

func (l *long) post() {
	l.now = l.now.Add(time.Second)
	l.room.post("ana", "x", l.now, nil, nil, false)
}

// grow carries out a command on the way to the mailbox that is meant.
func (l *long) grow(cmd any) mailbox.Reply {
	l.Helper()
	got := l.twins.grow(cmd, l.now)
	if _, err := l.naive.do(cmd, l.now, got); err != nil {
		l.Fatal(err)
	}
	return got
}

// tell carries out a command that the naive mailbox does not hear of.
func (l *long) tell(cmd any) mailbox.Reply {
	l.Helper()
	r, err := l.twins.do(cmd, l.now)
	if err != nil {
		l.Fatal(err)
	}
	return r
}

// do carries out a command whole.
func (l *long) do(cmd any) mailbox.Reply {
	l.Helper()
	got, err := l.twins.do(cmd, l.now)
	if err != nil {
		l.Fatal(err)
	}
	want, err := l.naive.do(cmd, l.now, got)
	if got.Revision, got.Job = 0, ""; err != nil {
		l.Fatal(err)
	}
	if want.Revision = 0; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) { // a series has more actions
		l.Fatalf("got %+v\nwant %+v", got, want)
	}
	return got
}

// cutSeries carries out the first parts of a command and drops the rest.
func (l *long) cutSeries(cmd any, parts int) {
	l.Helper()
	for i := range parts {
		d, err := l.twins.once(cmd, l.now)
		if err != nil || d.Next == nil {
			l.Fatalf("part %d: %v, then %v", i, err, d.Next)
		}
		cmd = d.Next
	}
}

// cut carries out a command and the first parts of its job, as a crash leaves it.
func (l *long) cut(cmd any, parts int) mailbox.Reply {
	l.Helper()
	d, err := l.twins.once(cmd, l.now)
	if err != nil || d.Reply.Job == "" {
		l.Fatalf("no job: %+v, %v", d.Reply, err)
	}
	for i := range parts {
		d, err := l.twins.once(mailbox.Step{}, l.now)
		if err != nil || l.twins.whole.Running() == "" {
			l.Fatalf("part %d: %v", i, err)
		}
		for _, a := range d.Actions {
			if n := touched(a); n > mailbox.MaxTouched {
				l.Fatalf("an action of part %d touched %d messages", i, n)
			}
		}
	}
	return d.Reply
}

// touched counts the messages of a change or purge.
func touched(a mailbox.Action) (n int) {
	var groups []mailbox.Group
	if a.Changed != nil {
		groups = a.Changed.Groups
	}
	if a.Purged != nil {
		groups = a.Purged.Groups
	}
	for _, g := range groups {
		n += len(g.Messages)
	}
	return n
}

// compare holds the figures of the mailbox to the naive one.
func (l *long) compare() {
	l.Helper()
	out := &lookout{t: l.T, s: l.twins.whole, n: l.naive, now: l.now, limit: 200}
	st, err := l.twins.whole.Stats(l.now)
	st.Revision = l.naive.last
	out.is("figures", st, err, l.naive.stats(l.now))
	fs, _ := l.twins.whole.Folders()
	for _, f := range fs {
		out.is("counts of "+string(f.ID), f.Counts, nil, l.naive.counts(f.ID))
	}
}

func (l *long) count(f parley.FolderID) int64 {
	fs, err := l.twins.whole.Folders()
	if err != nil {
		l.Fatal(err)
	}
	for _, have := range fs {
		if have.ID == f {
			return have.Counts.Messages
		}
	}
	return 0
}

func job(n int) parley.JobID { return parley.JobID(parley.FormatID(parley.JobPrefix, bits("job", n))) }

func key(n int) parley.Command {
	return parley.Command{ID: parley.CommandID(bits("key", n)), Body: digest(n)}
}

func TestLongThread(t *testing.T) {
	l := newLong(t, 1200)
	id := l.room.id
	yes := true
	l.do(mailbox.ChangeThread{Cmd: key(1), Job: job(1), Thread: id, Change: parley.ThreadChange{Change: parley.Change{Seen: &yes}, Muted: &yes}})
	l.compare()
	l.do(mailbox.ChangeThread{Cmd: key(2), Job: job(2), Thread: id, Change: parley.ThreadChange{Archived: &yes}})
	l.compare()
	l.do(mailbox.ChangeThread{Cmd: key(3), Job: job(3), Thread: id, Op: mailbox.OpDelete})
	l.do(mailbox.ChangeThread{Cmd: key(3), Job: job(3), Thread: id, Op: mailbox.OpDelete}) // nothing is purged
	l.compare()
	l.do(mailbox.ChangeThread{Cmd: key(4), Job: job(4), Thread: id, Op: mailbox.OpRestore})
	l.compare()
	l.do(mailbox.ChangeThread{Job: job(5), Thread: id, Op: mailbox.OpDelete})
	l.do(mailbox.ChangeThread{Job: job(6), Thread: id, Op: mailbox.OpDelete})
	if l.compare(); l.count(parley.Trash) != 0 {
		t.Errorf("%d are left", l.count(parley.Trash))
	}
	l.twins.settle()
}

// What is in Trash already is not purged by the deletion that puts the rest there.
func TestDeleteRestOfThread(t *testing.T) {
	for _, tc := range []struct{ all, trashed int }{{501, 1}, {1000, 500}, {1200, 900}} {
		t.Run(fmt.Sprintf("%d of %d", tc.trashed, tc.all), func(t *testing.T) {
			l := newLong(t, tc.all)
			for from := tc.all - tc.trashed; from < tc.all; from += 400 {
				ids := l.room.posts[from:min(from+400, tc.all)]
				l.do(mailbox.ChangeMessages{Messages: ids, Change: parley.Change{Folders: []parley.FolderID{parley.Trash}}})
			}
			del := mailbox.ChangeThread{Cmd: key(1), Job: job(1), Thread: l.room.id, Op: mailbox.OpDelete}
			l.do(del)
			if l.compare(); l.count(parley.Trash) != int64(tc.all) {
				t.Errorf("%d of %d are in Trash", l.count(parley.Trash), tc.all)
			}
			l.do(del)
			l.compare()
		})
	}
}
