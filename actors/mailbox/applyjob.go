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
	line := t.line(j.Kind)
	*line = append(slices.Clone(*line), j.ID)
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
	t.leaveLine(j)
	gone := *j
	t.dropExport(&gone)
	t.put(jobKey(j.ID), nil)
}

// line is where jobs of a kind wait: what brings mail in and out takes long, and
// no change of many messages waits for it.
func (t *tx) line(k parley.JobKind) *[]parley.JobID {
	if k.Transfer() {
		return &t.editHeader().Transfers
	}
	return &t.editHeader().Jobs
}

func (t *tx) leaveLine(j *Job) {
	line := t.line(j.Kind)
	*line = leave(*line, j.ID)
}

func leave(line []parley.JobID, id parley.JobID) []parley.JobID {
	return slices.DeleteFunc(slices.Clone(line), func(have parley.JobID) bool { return have == id })
}

// progress takes over how far a job came.
func (t *tx) progress(g *Progressed) {
	was := t.job(g.Job)
	if was == nil {
		return
	}
	j := *was
	if was.State.Over() {
		if g.Dropped {
			t.dropExport(&j)
			j.Revision = t.n
			t.put(jobKey(j.ID), &j)
		}
		return
	}
	j.State, j.Done, j.Total, j.Tally, j.Error, j.Revision = g.State, g.Done, g.Total, g.Tally, g.Error, t.n
	j.Work.Messages = j.Work.Messages[min(int(g.Took), len(j.Work.Messages)):]
	j.Work.At, j.Work.Prior = g.At, g.Prior
	if j.Kind.Transfer() {
		j.Transfer = g.Transfer
	}
	if g.State.Over() {
		j.Work, j.Finished, j.Expires = Work{}, t.now, g.Expires.UnixMicro()
		t.leaveLine(&j)
		t.tree(overTree).Insert(j.expiry())
		t.keepExport(&j)
	}
	t.put(jobKey(j.ID), &j)
}

// gone reports whether a job's time is over; it is dropped later.
func (j *Job) gone(now time.Time) bool { return j.Expires != 0 && j.Expires <= now.UnixMicro() }

// Names is the page for who looks for the names of blobs: what an export made is
// named no more when the job's time is over.
func (j *Job) Names(now time.Time) *Job {
	if !j.gone(now) {
		return j
	}
	out := *j
	out.Transfer.Digest = parley.Digest{}
	return &out
}
