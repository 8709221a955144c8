package mailbox

import (
	"bytes"
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// start puts a job at the end of the line, and lets a few go whose time is over.
func (t *tx) start(s *Started) {
	j := s.Job
	j.Revision = t.n
	if was := t.job(j.ID); was != nil { // a key that expired and was used again
		t.forget(was)
	}
	h := t.editHeader()
	h.Jobs = append(slices.Clone(h.Jobs), j.ID)
	t.put(jobKey(j.ID), &j)
	t.tree(jobTree).Insert(j.order())
	t.prune()
}

// prune drops jobs that are over: the expired, and the oldest of too many. A few
// at a time are more than come in.
func (t *tx) prune() {
	over := t.tree(overTree).Ascend(nil, true, forgetAtOnce)
	many := t.tree(jobTree).Len() - parley.MaxJobs
	for i, key := range over {
		if i >= many && bytes.Compare(key[:8], oldest(t.now)) > 0 {
			return
		}
		if j := t.job(jobIDOf(key)); j != nil {
			t.forget(j)
		}
	}
}

func (t *tx) forget(j *Job) {
	t.tree(jobTree).Delete(j.order())
	if j.State.Over() {
		t.tree(overTree).Delete(j.expiry())
	}
	t.leaveLine(j.ID)
	t.put(jobKey(j.ID), nil)
}

func (t *tx) leaveLine(id parley.JobID) {
	h := t.editHeader()
	h.Jobs = slices.DeleteFunc(slices.Clone(h.Jobs), func(have parley.JobID) bool { return have == id })
}

// progress takes over how far a job came.
func (t *tx) progress(g *Progressed) {
	was := t.job(g.Job)
	if was == nil || was.State.Over() {
		return
	}
	j := *was
	j.State, j.Done, j.Total, j.Tally, j.Error, j.Revision = g.State, g.Done, g.Total, g.Tally, g.Error, t.n
	j.Work.Messages = j.Work.Messages[min(int(g.Took), len(j.Work.Messages)):]
	j.Work.At, j.Work.Prior = g.At, g.Prior
	if g.State.Over() {
		j.Work, j.Finished, j.Expires = Work{}, t.now, g.Expires.UnixMicro()
		t.leaveLine(j.ID)
		t.tree(overTree).Insert(j.expiry())
	}
	t.put(jobKey(j.ID), &j)
}

// gone reports whether a job's time is over; it is dropped later.
func (j *Job) gone(now time.Time) bool { return j.Expires != 0 && j.Expires <= now.UnixMicro() }
