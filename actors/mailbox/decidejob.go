package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// Step carries out the next part of the job that is first in line. Nobody sends
// it: the grain asks itself, between other commands.
type Step struct{}

// Opaque is what a step becomes that cannot be decided: the job ends.
func (Step) Opaque() any { return spoiled{} }

type spoiled struct{}

// CancelJob ends a job where it is; what was done stays, but for the archive of an
// export.
type CancelJob struct {
	Cmd     parley.Command
	IfMatch parley.Revision
	Job     parley.JobID
}

// bulk does all of a work at once if that is little, and makes a job of it else.
func (d *decider) bulk(cmd parley.Command, id parley.JobID, kind parley.JobKind, w Work, total int64, ans Answer) error {
	p := d.part(&w)
	if d.lacks() {
		return nil
	}
	if !p.rest {
		if w.Thread == "" { // who names a thread is answered with it
			ans.Tally = p.tally
		}
		d.out.Blank = append(d.out.Blank, p.blank...)
		d.addAll(cmd, p.actions, ans)
		return nil
	}
	if !id.Valid() {
		return parley.E(parley.Internal, "mailbox.job", "a job without an id")
	}
	if len(d.header().Jobs) >= parley.MaxQueued {
		return parley.E(parley.RateLimited, "mailbox.job", "too many jobs are waiting")
	}
	w.Until, ans.Job = d.next, id // the action that says so, which is never 0
	a := Action{Started: &Started{Job: Job{ID: id, Kind: kind, State: parley.JobQueued, Total: total, Created: d.now.UnixMicro(), Work: w}}}
	a.Key = d.memory(cmd, parley.KeyLife, ans)
	d.add(a)
	return nil
}

// Running is the job that a Step would go on with; "" is none. The header must be
// loaded.
func (s *State) Running() parley.JobID {
	if js := s.header().Jobs; len(js) > 0 {
		return js[0]
	}
	return ""
}

// first is the job in front.
func (d *decider) first() *Job {
	js := d.header().Jobs
	if len(js) == 0 {
		return nil
	}
	return d.job(js[0])
}

// step does a part, and says in an action of the same put how far the job is: it
// goes on from there after a crash anywhere.
func (d *decider) step() error {
	j := d.first()
	if j == nil {
		return nil
	}
	if err := d.checkFolders("folders", j.Work.folders()); err != nil {
		public, _ := parley.PublicOf(err)
		d.end(j, parley.Command{}, parley.JobFailed, public)
		return nil
	}
	w := j.Work
	p := d.part(&w)
	if d.lacks() {
		return nil
	}
	d.out.Blank = append(d.out.Blank, p.blank...)
	d.prior = w.Prior
	for _, a := range p.actions {
		d.owned(a, true)
	}
	g := j.progress(parley.JobRunning)
	g.Done, g.Tally, g.Took, g.At, g.Prior = j.Done+p.done, j.Tally.Add(p.tally), p.took, p.at, d.prior
	if g.Total = max(g.Total, g.Done); !p.rest {
		g.State, g.Total, g.Expires = parley.JobDone, g.Done, d.now.Add(parley.JobLife)
	}
	d.progressed(g, nil)
	return nil
}

func (w *Work) folders() []parley.FolderID {
	return slices.Concat(w.Patch.Replace, w.Patch.Labels, w.Patch.Add, w.Patch.Remove)
}

// progress is where the job stands.
func (j *Job) progress(s parley.JobState) *Progressed {
	return &Progressed{Job: j.ID, Kind: j.Kind, State: s, Done: j.Done, Total: j.Total, Tally: j.Tally, At: j.Work.At, Prior: j.Work.Prior, Transfer: j.Transfer}
}

// end ends a job where it is.
func (d *decider) end(j *Job, cmd parley.Command, s parley.JobState, why string) {
	g := j.progress(s)
	if g.Error, g.Expires = why, d.now.Add(parley.JobLife); j.Kind == parley.JobImport {
		g.Transfer.Digest = parley.Digest{} // nothing needs the archive any more
	}
	d.progressed(g, d.memory(cmd, parley.KeyLife, Answer{Job: j.ID}))
}

// progressed says how far a job is. With its end it stands for all of the job, so
// that what was done can be taken back.
func (d *decider) progressed(g *Progressed, key *Memory) {
	a := Action{Progressed: g, Key: key}
	if g.State.Over() {
		a.Prior = g.Prior
	}
	d.add(a)
}

// spoil ends a job of which a part cannot be decided.
func (d *decider) spoil() error {
	if j := d.first(); j != nil {
		d.end(j, parley.Command{}, parley.JobFailed, "this could not be processed")
	}
	return nil
}

func (d *decider) cancelJob(c CancelJob) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	j := d.job(c.Job)
	switch {
	case j == nil || j.gone(d.now):
		return notFound("mailbox.job")
	case c.IfMatch != 0 && c.IfMatch != j.Revision:
		return parley.E(parley.Stale, "mailbox.job", "the job has come further since")
	case j.State.Over() && j.Kind == parley.JobExport && !j.Transfer.Digest.IsZero():
		d.add(Action{Progressed: j.drop(), Key: d.memory(c.Cmd, parley.KeyLife, Answer{Job: j.ID})})
	case j.State.Over():
		d.addChange(c.Cmd, &Changed{}, Answer{Job: j.ID})
	default:
		d.end(j, c.Cmd, parley.JobCanceled, "")
	}
	return nil
}
