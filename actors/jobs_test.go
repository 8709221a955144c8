package actors

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// longThread fills Ana's mailbox with one thread of n unread mails.
func (w *world) longThread(t testing.TB, n int) parley.ThreadID {
	t.Helper()
	for i := 1; i <= n; i++ {
		if err := w.mail(t, "ana", mailText(i, i-1)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.c.Threads(ctxFor(t), accountID("ana"), parley.ThreadQuery{}, 0)
	if err != nil || len(l.Items) != 1 || l.Items[0].Unread != int64(n) {
		t.Fatalf("got %+v, %v", l, err)
	}
	return l.Items[0].ID
}

// finished waits for the end of a job, by its events.
func (w *world) finished(t testing.TB, acc parley.AccountID, since parley.Revision) (seen []parley.Event) {
	t.Helper()
	for ctx := ctxFor(t); ctx.Err() == nil; {
		events, head, err := w.c.Events(ctx, acc, since, -1, time.Second, 500)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if since = max(since, e.Revision); e.Job != nil {
				seen = append(seen, e)
			}
			if e.Type == parley.JobFinished {
				return seen
			}
		}
		if len(events) == 0 {
			since = max(since, head)
		}
	}
	t.Fatalf("the job does not end: %+v", seen)
	return nil
}

// TestJob changes a long thread part by part, tells how far it is, and gives the
// same job to a repeat.
func TestJob(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana"))
	w.tune.touch = 3
	ana := accountID("ana")
	id := w.longThread(t, 20)
	read := parley.ThreadChange{Change: parley.Change{Seen: new(true)}}
	o, err := w.c.ChangeThread(ctxFor(t), ana, cmd(ana, "read"), 0, id, read)
	if err != nil || !o.Job.Valid() || o.Replayed {
		t.Fatalf("got %+v, %v", o, err)
	}
	events := w.finished(t, ana, o.Revision-1)
	done := int64(-1)
	for i, e := range events {
		if e.Job.ID != o.Job || e.Job.Total != 20 || e.Job.Done <= done || (e.Job.State == parley.JobDone) != (i == len(events)-1) {
			t.Errorf("event %d: %+v", i, e.Job)
		}
		done = e.Job.Done
	}
	if len(events) != 8 { // the start, and seven parts
		t.Errorf("got %d events", len(events))
	}
	j, _, err := w.c.Job(ctxFor(t), ana, o.Job, 0)
	if err != nil || j.State != parley.JobDone || j.Done != 20 || j.Result.Changed != 20 || j.FinishedAt.IsZero() {
		t.Errorf("got %+v, %v", j, err)
	}
	if th, _, err := w.c.Thread(ctxFor(t), ana, id, 0); err != nil || th.Unread != 0 {
		t.Errorf("got %+v, %v", th, err)
	}
	again, err := w.c.ChangeThread(ctxFor(t), ana, cmd(ana, "read"), 0, id, read)
	if err != nil || again.Job != o.Job || !again.Replayed || again.Revision != o.Revision {
		t.Errorf("a repeat: got %+v, %v, want %+v", again, err, o)
	}
	if l, err := w.c.Jobs(ctxFor(t), ana, parley.Page{Limit: 10}, 0); err != nil || len(l.Items) != 1 || l.Items[0] != j {
		t.Errorf("got %+v, %v", l, err)
	}
	w.clean(t)
}

// TestJobAfterCrash: what is left of a job is done after a crash although nobody
// asks for the mailbox: its reminder stands.
func TestJobAfterCrash(t *testing.T) {
	fs := vfs.NewCrashableMem()
	var left atomic.Int64 // commits until the store takes no more
	left.Store(1 << 30)
	w := newWorld(t, fs, newPeople("ana"), func(c *Config) {
		c.Store = faulty.New(c.Store, func(op faulty.Op) faulty.Outcome {
			if op.Kind == faulty.Commit && left.Add(-1) < 0 {
				return faulty.Refuse
			}
			return faulty.Pass
		})
	})
	w.tune.touch = 1
	ana := accountID("ana")
	const n = 12
	id := w.longThread(t, n)
	left.Store(4) // the job, and three of its parts
	o, err := w.c.DeleteThread(ctxFor(t), ana, cmd(ana, "delete"), 0, id)
	if err != nil || o.Job == "" {
		t.Fatalf("got %+v, %v", o, err)
	}
	for left.Load() >= 0 {
		runtime.Gosched()
	}
	after := newWorld(t, fs.CrashClone(vfs.CrashCloneCfg{}), newPeople("ana"))
	after.tune.touch = 1
	last := func() parley.Revision {
		got, err := after.store.Read(ctxFor(t), persistence.Mailbox, parley.RowKey(string(ana)), persistence.Exactly(persistence.Log, fenceQualifier))
		if err != nil || len(got[0]) != 1 {
			t.Fatalf("%v, %v", got, err)
		}
		f, err := codec.DecodeFence(got[0][0].Value)
		if err != nil {
			t.Fatal(err)
		}
		return parley.Revision(f.Last)
	}
	if got, want := last(), o.Revision+6; got != want {
		t.Fatalf("the log ends at %d before anything is woken, want %d", got, want)
	}
	want := o.Revision + 2*n // a change and how far the job is, n times
	ctx, cancel := context.WithTimeout(ctxFor(t), 10*time.Second)
	defer cancel()
	for after.Tick(ctx); last() < want; <-time.After(5 * time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("the log ends at %d, want %d", last(), want)
		}
	}
	if j, _, err := after.c.Job(ctxFor(t), ana, o.Job, 0); err != nil || j.State != parley.JobDone || j.Done != n {
		t.Errorf("got %+v, %v", j, err)
	}
	after.clean(t)
}
