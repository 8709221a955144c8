package mailbox_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// Between the parts of a job everything else goes on: what came after its command
// is left alone, what was done meanwhile stays done, and all that was there when
// it came is changed once, whatever moved.
func TestJobAmongOthers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newTwins(rt)
		w.touch(rapid.IntRange(1, 4).Draw(rt, "touch"))
		now := begin
		n := 0
		mail := func() parley.MessageID {
			now = now.Add(time.Second)
			n++
			m := letter{id: fmt.Sprint("mail ", n), from: "ana@out", text: "x", at: now}
			if n > 3 && rapid.Bool().Draw(rt, "answers") {
				m.replies = []string{fmt.Sprint("mail ", rapid.IntRange(1, n-1).Draw(rt, "which"))}
			}
			r, err := w.do(m.command(), now)
			if err != nil || len(r.Messages) != 1 {
				rt.Fatalf("%+v, %v", r, err)
			}
			return r.Messages[0]
		}
		var before, after []parley.MessageID
		for range rapid.IntRange(5, 20).Draw(rt, "mails") {
			before = append(before, mail())
		}
		d, err := w.once(mailbox.ReadFolder{Cmd: key(1), Job: job(1), Folder: parley.Inbox}, now)
		if err != nil {
			rt.Fatal(err)
		}
		flagged := map[parley.MessageID]bool{}
		for w.whole.Running() != "" {
			switch rapid.IntRange(0, 3).Draw(rt, "meanwhile") {
			case 0:
				now = now.Add(time.Second)
				n++
				m := letter{id: fmt.Sprint("mail ", n), from: "bo@out", text: "x", at: now, replies: []string{fmt.Sprint("mail ", rapid.IntRange(1, n-1).Draw(rt, "of"))}}
				d, err := w.once(m.command(), now)
				if err != nil {
					rt.Fatal(err)
				}
				after = append(after, d.Reply.Messages...)
			case 1:
				id := rapid.SampledFrom(before).Draw(rt, "flag")
				if _, err := w.once(mailbox.ChangeMessages{Messages: []parley.MessageID{id}, Change: parley.Change{Flagged: new(true)}}, now); err != nil {
					rt.Fatal(err)
				}
				flagged[id] = true
			default:
				if _, err := w.once(mailbox.Step{}, now); err != nil {
					rt.Fatal(err)
				}
			}
		}
		for _, id := range append(before, after...) {
			m, err := w.whole.Message(id)
			if err != nil {
				rt.Fatal(err)
			}
			if is := slices.Contains(m.Keywords, parley.Seen); is != slices.Contains(before, id) || slices.Contains(m.Keywords, parley.Flagged) != flagged[id] {
				rt.Fatalf("%s came after: %t; flagged: %t; got %v", id, slices.Contains(after, id), flagged[id], m.Keywords)
			}
		}
		if d.Reply.Job != "" {
			if j, err := w.whole.Job(job(1), now); err != nil || j.Tally.Changed != int64(len(before)) || j.Done != j.Total {
				rt.Fatalf("got %+v, %v, want %d changed", j, err, len(before))
			}
		}
		w.settle()
	})
}

// letters are n mails in threads of their own.
func (w *twins) letters(t *testing.T, n int, now time.Time) (ids []parley.MessageID) {
	t.Helper()
	for i := range n {
		r, err := w.do(letter{id: fmt.Sprint("mail ", i), from: "ana@out", text: "x", at: now.Add(time.Duration(i) * time.Second)}.command(), now)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.Messages...)
	}
	return ids
}

// A job is a job from its first part on, in a mailbox of which it is the first
// action, too: one part is done before others get a turn.
func TestJobOfAnEmptyMailbox(t *testing.T) {
	w := newTwins(t)
	var ids []parley.MessageID
	for i := range mailbox.MaxTouched + 1 {
		ids = append(ids, parley.MessageID(parley.FormatID(parley.MessagePrefix, bits("nobody", i))))
	}
	d, err := w.once(mailbox.ChangeMany{Cmd: key(1), Job: job(1), Messages: ids, Change: parley.Change{Flagged: new(true)}}, begin)
	if err != nil || d.Reply.Job != job(1) {
		t.Fatalf("got %+v, %v", d.Reply, err)
	}
	if _, err := w.once(mailbox.Step{}, begin); err != nil {
		t.Fatal(err)
	}
	if j, err := w.whole.Job(job(1), begin); err != nil || j.Done == 0 || j.Done > 100 {
		t.Errorf("the first part did %d of %d, %v; want 100 at most", j.Done, len(ids), err)
	}
	w.work(begin)
	if j, err := w.whole.Job(job(1), begin); err != nil || j.State != parley.JobDone || j.Tally.Missing != int64(len(ids)) {
		t.Errorf("got %+v, %v", j, err)
	}
	w.settle()
}

// A canceled job tells what was done, and the next in line begins.
func TestCancelJob(t *testing.T) {
	w := newTwins(t)
	w.touch(2)
	ids := w.letters(t, 9, begin)
	for i := range 2 {
		d, err := w.once(mailbox.ChangeMany{Cmd: key(i), Job: job(i), Messages: ids, Change: parley.Change{Flagged: new(i == 0)}}, begin)
		if err != nil || d.Reply.Job != job(i) {
			t.Fatalf("got %+v, %v", d.Reply, err)
		}
	}
	for range 2 {
		if _, err := w.once(mailbox.Step{}, begin); err != nil {
			t.Fatal(err)
		}
	}
	j, _ := w.whole.Job(job(0), begin)
	cancel := mailbox.CancelJob{Cmd: key(5), IfMatch: j.Revision - 1, Job: job(0)}
	if _, err := w.once(cancel, begin); parley.CodeOf(err) != parley.Stale {
		t.Errorf("got %v", err)
	}
	cancel.IfMatch = j.Revision
	for _, again := range []bool{false, true} {
		if d, err := w.once(cancel, begin); err != nil || d.Reply.Replayed != again || d.Reply.Job != job(0) {
			t.Errorf("got %+v, %v", d.Reply, err)
		}
	}
	j, err := w.whole.Job(job(0), begin)
	if err != nil || j.State != parley.JobCanceled || j.Done != 4 || j.Total != 9 || j.Tally.Changed != 4 || len(j.Work.Messages) != 0 {
		t.Errorf("got %+v, %v", j, err)
	}
	if w.whole.Running() != job(1) {
		t.Errorf("%q runs", w.whole.Running())
	}
	w.work(begin)
	for _, id := range ids {
		if m, _ := w.whole.Message(id); slices.Contains(m.Keywords, parley.Flagged) {
			t.Errorf("%s is flagged", id)
		}
	}
	if _, err := w.once(mailbox.CancelJob{Job: job(7)}, begin); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("got %v", err)
	}
	w.settle()
}

// So many jobs wait, so many are kept, and for so long.
func TestJobsBounded(t *testing.T) {
	w := newTwins(t)
	w.touch(1)
	ids := w.letters(t, 2, begin)
	start := func(i int, now time.Time) error {
		_, err := w.once(mailbox.ChangeMany{Cmd: key(i), Job: job(i), Messages: ids, Change: parley.Change{Flagged: new(i%2 == 0)}}, now)
		return err
	}
	for i := range parley.MaxQueued {
		if err := start(i, begin); err != nil {
			t.Fatal(err)
		}
	}
	if err := start(99, begin); parley.CodeOf(err) != parley.RateLimited {
		t.Errorf("got %v", err)
	}
	w.work(begin)
	for i := parley.MaxQueued; i < parley.MaxJobs+20; i++ {
		if err := start(i, begin.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
		w.work(begin.Add(time.Duration(i) * time.Second))
	}
	list := func(now time.Time) (n int) {
		jobs, err := pages(parley.Page{Limit: 7}, func(p parley.Page) ([]parley.Job, string, string, error) {
			l, err := w.whole.Jobs(p, now)
			return l.Items, l.Next, l.Prev, err
		})
		if err != nil || !slices.IsSortedFunc(jobs, func(a, b parley.Job) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
			t.Errorf("%v, %v", jobs, err)
		}
		return len(jobs)
	}
	if n := list(begin.Add(time.Hour)); n != parley.MaxJobs {
		t.Errorf("%d jobs are kept", n)
	}
	if n := list(begin.Add(parley.JobLife + time.Hour)); n != 0 {
		t.Errorf("%d jobs are kept after their time", n)
	}
	later := begin.Add(parley.JobLife + time.Hour)
	for i := range 40 { // each takes a few of the expired along
		if err := start(1000+i, later); err != nil {
			t.Fatal(err)
		}
		w.work(later)
	}
	if n := len(w.whole.Pages()); n > 400 || list(later) != 40 {
		t.Errorf("%d pages, %d jobs", n, list(later))
	}
	w.settle()
}

// What cannot be decided ends its job, and the next one runs.
func TestSpoiledJob(t *testing.T) {
	w := newTwins(t)
	w.touch(1)
	ids := w.letters(t, 2, begin)
	for i := range 2 {
		if _, err := w.once(mailbox.ChangeMany{Cmd: key(i), Job: job(i), Messages: ids, Change: parley.Change{Flagged: new(true)}}, begin); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.once(mailbox.Step{}.Opaque(), begin); err != nil {
		t.Fatal(err)
	}
	if j, err := w.whole.Job(job(0), begin); err != nil || j.State != parley.JobFailed || j.Error == "" || w.whole.Running() != job(1) {
		t.Errorf("got %+v, %v", j, err)
	}
	w.work(begin)
	w.settle()
}

// A thread that falls behind the walk over a folder, since its newest message is
// purged, is met all the same.
func TestFolderWalkedTwice(t *testing.T) {
	w := newTwins(t)
	w.touch(1)
	ids := w.letters(t, 4, begin)
	late := letter{id: "late", replies: []string{"mail 0"}, from: "ana@out", text: "x", at: begin.Add(time.Hour)}
	r, err := w.do(late.command(), begin)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // in Trash, then gone; the thread of mail 0 is the newest until then
		if _, err := w.once(mailbox.ReadFolder{Cmd: key(1), Job: job(1), Folder: parley.Inbox}, begin); err != nil {
			t.Fatal(err)
		}
		if _, err := w.once(mailbox.Step{}, begin); err != nil {
			t.Fatal(err)
		}
		if _, err := w.once(mailbox.DeleteMessage{Message: r.Messages[0]}, begin); err != nil {
			t.Fatal(err)
		}
	}
	w.work(begin)
	for _, id := range ids {
		if m, _ := w.whole.Message(id); !slices.Contains(m.Keywords, parley.Seen) {
			t.Errorf("%s is unread", id)
		}
	}
	w.settle()
}
