package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

func (w *writer) job(j *mailbox.Job) *record.Job {
	return &record.Job{
		Id: jobID(j.ID), Kind: number[record.JobKind](w, jobKinds, j.Kind),
		State: number[record.JobState](w, jobStates, j.State), Done: j.Done, Total: j.Total, Tally: tally(j.Tally),
		Error: j.Error, Created: j.Created, Finished: j.Finished, Expires: j.Expires, Revision: uint64(j.Revision),
		Work: work(&j.Work), Transfer: w.transfer(&j.Transfer),
	}
}

func (r *reader) job(j *record.Job) *mailbox.Job {
	return &mailbox.Job{
		ID: r.jobID(j.GetId()), Kind: word(r, jobKinds, j.GetKind()), State: word(r, jobStates, j.GetState()),
		Done: j.GetDone(), Total: j.GetTotal(), Tally: untally(j.GetTally()), Error: j.GetError(),
		Created: j.GetCreated(), Finished: j.GetFinished(), Expires: j.GetExpires(),
		Revision: parley.Revision(j.GetRevision()), Work: r.work(j.GetWork()),
		Transfer: r.transfer(j.GetTransfer()),
	}
}

func work(w *mailbox.Work) *record.Work {
	fixed, id := folder(w.Folder)
	return &record.Work{
		Messages: each(w.Messages, message), Thread: threadID(w.Thread), Fixed: fixed, Folder: id, Patch: changed(&w.Patch),
		Archive: uint32(w.Archive), Mute: uint32(w.Mute), Op: uint32(w.Op), IfMatch: uint64(w.IfMatch),
		Until: uint64(w.Until), At: reached(w.At), Prior: uint64(w.Prior),
	}
}

func (r *reader) work(w *record.Work) mailbox.Work {
	return mailbox.Work{
		Messages: each(w.GetMessages(), r.message), Thread: r.threadID(w.GetThread()),
		Folder: r.folder(w.GetFixed(), w.GetFolder()), Patch: *r.changed(w.GetPatch()),
		Archive: r.position(w.GetArchive()), Mute: r.position(w.GetMute()), Op: r.threadOp(w.GetOp()),
		IfMatch: parley.Revision(w.GetIfMatch()), Until: parley.Revision(w.GetUntil()), At: unreached(w.GetAt()),
		Prior: parley.Revision(w.GetPrior()),
	}
}

// position refuses what a later version knows, as does threadOp: rather nothing
// than something else.
func (r *reader) position(n uint32) mailbox.Switch {
	if n > uint32(mailbox.Off) {
		r.fail("a switch at %d", n)
	}
	return mailbox.Switch(n)
}

func (r *reader) threadOp(n uint32) mailbox.ThreadOp {
	op := mailbox.ThreadOp(n)
	if n > 255 || !op.Known() {
		r.fail("operation %d on a thread", n)
	}
	return op
}

func reached(p mailbox.Reached) *record.Reached {
	return &record.Reached{Thread: p.Thread, After: p.After, Again: p.Again}
}

func unreached(p *record.Reached) mailbox.Reached {
	if p == nil {
		return mailbox.Reached{}
	}
	return mailbox.Reached{Thread: p.Thread, After: p.After, Again: p.Again}
}

func (w *writer) progressed(g *mailbox.Progressed) *record.Progressed {
	return &record.Progressed{
		Job: jobID(g.Job), Kind: number[record.JobKind](w, jobKinds, g.Kind),
		State: number[record.JobState](w, jobStates, g.State), Done: g.Done, Total: g.Total, Tally: tally(g.Tally),
		Error: g.Error, Took: g.Took, At: reached(g.At), Expires: micros(g.Expires),
		Prior: uint64(g.Prior), Transfer: w.transfer(&g.Transfer), Dropped: g.Dropped,
	}
}

func (r *reader) progressed(g *record.Progressed) *mailbox.Progressed {
	if g == nil {
		g = &record.Progressed{}
	}
	return &mailbox.Progressed{
		Job: r.jobID(g.Job), Kind: word(r, jobKinds, g.Kind), State: word(r, jobStates, g.State), Done: g.Done,
		Total: g.Total, Tally: untally(g.Tally), Error: g.Error, Took: g.Took, At: unreached(g.At),
		Expires: moment(g.Expires), Prior: parley.Revision(g.Prior),
		Transfer: r.transfer(g.Transfer), Dropped: g.Dropped,
	}
}

func tally(t parley.Tally) *record.Tally {
	if t == (parley.Tally{}) {
		return nil
	}
	return &record.Tally{Changed: t.Changed, Missing: t.Missing, Stale: t.Stale}
}

func untally(t *record.Tally) parley.Tally {
	return parley.Tally{Changed: t.GetChanged(), Missing: t.GetMissing(), Stale: t.GetStale()}
}
