package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

func (d *decider) startTransfer(c StartTransfer) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if err := d.open(); err != nil {
		return err
	}
	if c.Kind == parley.JobImport && c.Transfer.Digest.IsZero() {
		return &parley.Error{Code: parley.NotFound, Op: "mailbox.import", Public: "there is no such blob", Field: "blob"}
	}
	if f := c.Transfer.Folder; f != "" {
		if err := d.checkFolders("folder", []parley.FolderID{f}); err != nil {
			return err
		}
	}
	if !c.Job.Valid() || !c.Kind.Transfer() {
		return parley.E(parley.Internal, "mailbox.transfer", "a job without an id or of another kind")
	}
	if len(d.header().Transfers) >= parley.MaxTransfers {
		return parley.E(parley.RateLimited, "mailbox.transfer", "too many imports and exports are waiting")
	}
	j := Job{ID: c.Job, Kind: c.Kind, State: parley.JobQueued, Created: d.now.UnixMicro(), Transfer: c.Transfer}
	if c.Kind == parley.JobExport {
		j.Total = d.messagesIn(c.Transfer.Folder)
	}
	a := Action{Started: &Started{Job: j}}
	a.Key = d.memory(c.Cmd, parley.KeyLife, Answer{Job: c.Job})
	d.add(a)
	return nil
}

// endTransfer ends a job where it is.
func (d *decider) endTransfer(c EndTransfer) error {
	if j := d.job(c.Job); j != nil && !j.State.Over() {
		d.end(j, parley.Command{}, parley.JobFailed, c.Error)
	}
	return nil
}

// messagesIn counts those in a folder, or all.
func (d *decider) messagesIn(f parley.FolderID) int64 {
	if f == "" {
		return d.header().Messages
	}
	return d.header().counts(f).Messages
}

// transferPart files what an import read, and says how far the job is.
func (d *decider) transferPart(c TransferPart) error {
	j := d.job(c.Job)
	switch {
	case j == nil || j.State.Over():
		return parley.E(parley.Gone, "mailbox.transfer", "the job is over")
	case j.Kind == parley.JobImport && c.From != j.Done:
		return parley.E(parley.Stale, "mailbox.transfer", "the job is elsewhere")
	}
	g := j.progress(parley.JobRunning)
	g.Done = c.To
	if c.State != "" {
		g.State, g.Error = c.State, c.Error
	}
	g.Transfer.Refused, g.Transfer.Skipped, g.Transfer.Lost = j.Transfer.Refused+c.Refused, j.Transfer.Skipped+c.Skipped, c.Lost
	if err := d.letters(g, c.Letters); err != nil {
		return err
	}
	g.Total = max(c.Total, g.Done)
	d.settle(g, c)
	d.out.Reply, d.replay = Reply{Job: c.Job}, 0
	d.progressed(g, nil)
	d.keepFew()
	return nil
}

// settle completes the last part of a job.
func (d *decider) settle(g *Progressed, c TransferPart) {
	if !g.State.Over() {
		return
	}
	g.Expires = d.now.Add(parley.JobLife)
	if g.State == parley.JobDone {
		g.Total = g.Done
	}
	switch t := &g.Transfer; {
	case g.Kind == parley.JobImport:
		t.Digest = parley.Digest{}
	case g.State == parley.JobDone:
		t.Blob, t.Digest, t.Name, t.Type, t.Bytes = c.Made.Blob, c.Made.Digest, c.Made.Name, c.Made.Type, c.Made.Bytes
	}
}

// letters files the letters of a part. Where the mailbox is full the job ends, with
// what was filed before.
func (d *decider) letters(g *Progressed, all []Letter) error {
	for _, l := range all {
		l.Mail.Folders = slices.DeleteFunc(slices.Clone(l.Mail.Folders), func(f parley.FolderID) bool { return !d.known(f) })
		d.out.Reply = Reply{}
		err := d.deliverMail(l.Mail)
		switch code := parley.CodeOf(err); {
		case err == nil && d.out.Reply.Filed:
			g.Transfer.Added++
		case err == nil:
			g.Transfer.Known++
		case code == parley.OverQuota || code == parley.Gone:
			public, _ := parley.PublicOf(err)
			g.State, g.Error, g.Done = parley.JobFailed, public, l.N-1
			return nil
		default:
			return err
		}
	}
	return nil
}

// drop says that what an export made ends.
func (j *Job) drop() *Progressed {
	g := j.progress(j.State)
	g.Error, g.Dropped = j.Error, true
	g.Transfer.Blob, g.Transfer.Digest = "", parley.Digest{}
	return g
}

// keepFew drops the archives of the oldest exports when there are too many.
func (d *decider) keepFew() {
	for len(d.header().Exports) > parley.MaxExports && !d.lacks() {
		j := d.job(d.header().Exports[0])
		if j == nil {
			return // it lacks
		}
		d.add(Action{Progressed: j.drop()})
	}
}
