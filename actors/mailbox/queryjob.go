package mailbox

import (
	"time"

	"github.com/parley-im/parley"
)

// Job finds one job; one whose time is over is not there any more.
func (s *State) Job(id parley.JobID, now time.Time) (*Job, error) {
	return read(s, func(t *tx) (*Job, error) {
		j := t.job(id)
		if j == nil || j.gone(now) {
			return nil, notFound("mailbox.job")
		}
		return j, nil
	})
}

// Jobs lists jobs, newest first.
func (s *State) Jobs(p parley.Page, now time.Time) (parley.Listing[parley.Job], error) {
	return read(s, func(t *tx) (parley.Listing[parley.Job], error) {
		w, err := window(p)
		if err != nil {
			return parley.Listing[parley.Job]{}, err
		}
		lists := []list{{t.tree(jobTree)}}
		got := t.take(w, lists, func(key []byte) bool { j := t.job(jobIDOf(key)); return j != nil && !j.gone(now) })
		out := parley.Listing[parley.Job]{Next: got.next, Prev: got.prev, Total: -1, Revision: t.header().Last}
		for _, key := range got.keys {
			out.Items = append(out.Items, t.job(jobIDOf(key)).Public())
		}
		return out, nil
	})
}

// jobEvent tells how far a job is; without a Job there is nothing to tell.
func (a *Action) jobEvent() (e parley.Event) {
	switch {
	case a.Started != nil:
		j := a.Started.Job.Public()
		e.Type, e.Job = parley.JobUpdated, &j
	case a.Progressed != nil:
		g := a.Progressed
		e.Type, e.Job = parley.JobUpdated, &parley.Job{ID: g.Job, Kind: g.Kind, State: g.State, Done: g.Done, Total: g.Total, Result: g.Tally, Error: g.Error}
		if g.Kind.Transfer() {
			e.Job.Transfer = g.Transfer.public(g.expiry())
		}
		if g.State.Over() && !g.Dropped {
			e.Type = parley.JobFinished
		}
	}
	return e
}
