package mailbox_test

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// errand is an import or export as the rules see it.
type errand struct {
	parley.Job
	expires time.Time // zero until it is over
	made    parley.BlobID
}

// errandOf is a job that is not forgotten.
func (n *naive) errandOf(id parley.JobID) *errand {
	for _, e := range n.errands {
		if e.ID == id && (e.expires.IsZero() || e.expires.After(n.now)) {
			return e
		}
	}
	return nil
}

// transfer carries out what imports and exports are told. filed is in which thread
// the product put each letter that is new.
func (n *naive) transfer(cmd any, now time.Time, filed map[parley.MessageID]parley.ThreadID) (mailbox.Reply, error) {
	n.now = now
	n.watch()
	switch c := cmd.(type) {
	case mailbox.StartTransfer:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.startTransfer(c) })
	case mailbox.CancelJob:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.cancelErrand(c) })
	case mailbox.EndTransfer:
		if e := n.errandOf(c.Job); e != nil && !e.State.Over() {
			n.endErrand(e, parley.JobFailed)
			return mailbox.Reply{Job: c.Job, Revision: n.last}, nil
		}
		return mailbox.Reply{Revision: n.last}, nil
	case mailbox.TransferPart:
		return n.errandPart(c, filed)
	}
	panic("no such command")
}

func (n *naive) startTransfer(c mailbox.StartTransfer) (mailbox.Reply, error) {
	waiting := 0
	for _, e := range n.errands {
		if !e.State.Over() {
			waiting++
		}
	}
	f := c.Transfer.Folder
	switch {
	case n.closed:
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	case c.Kind == parley.JobImport && c.Transfer.Digest.IsZero(), f != "" && !n.all([]parley.FolderID{f}):
		return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
	case waiting >= parley.MaxTransfers:
		return mailbox.Reply{}, parley.E(parley.RateLimited, "", "")
	}
	e := &errand{Job: parley.Job{ID: c.Job, Kind: c.Kind, State: parley.JobQueued}}
	if c.Kind == parley.JobExport {
		for _, m := range n.messages {
			if m.Notice == "" && (f == "" || m.in(f)) {
				e.Total++
			}
		}
		if f == "" || f == parley.Drafts {
			e.Total += int64(len(n.drafts))
		}
	}
	n.errands = append(n.errands, e)
	n.step()
	return mailbox.Reply{Job: c.Job}, nil
}

// endErrand is a step of its own.
func (n *naive) endErrand(e *errand, s parley.JobState) {
	e.State, e.expires = s, n.now.Add(parley.JobLife)
	n.step()
}

// cancelErrand ends one, and drops what one that is over made.
func (n *naive) cancelErrand(c mailbox.CancelJob) (mailbox.Reply, error) {
	e := n.errandOf(c.Job)
	switch {
	case e == nil:
		return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
	case !e.State.Over():
		n.endErrand(e, parley.JobCanceled)
	case e.made != "":
		e.made = ""
		n.step()
	}
	return mailbox.Reply{Job: c.Job}, nil
}

// errandPart files letters one after the other; a mailbox that is full or closed
// ends the import before the one that does not fit.
func (n *naive) errandPart(c mailbox.TransferPart, filed map[parley.MessageID]parley.ThreadID) (mailbox.Reply, error) {
	e := n.errandOf(c.Job)
	switch {
	case e == nil || e.State.Over():
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	case e.Kind == parley.JobImport && c.From != e.Done:
		return mailbox.Reply{}, parley.E(parley.Stale, "", "")
	}
	e.State, e.Done = parley.JobRunning, c.To
	if c.State != "" {
		e.State = c.State
	}
	for _, l := range c.Letters {
		l.Mail.Folders = slices.DeleteFunc(slices.Clone(l.Mail.Folders), func(f parley.FolderID) bool { return !n.all([]parley.FolderID{f}) })
		r, err := n.mail(l.Mail, mailbox.Reply{Thread: filed[l.Mail.Message.ID]})
		if err != nil {
			e.State, e.Done = parley.JobFailed, l.N-1
			break
		}
		if r.Filed {
			e.Transfer.Added++
		} else {
			e.Transfer.Known++
		}
	}
	e.Transfer.Refused += c.Refused
	e.Total = max(c.Total, e.Done)
	if e.State == parley.JobDone {
		e.Total, e.made = e.Done, c.Made.Blob
	}
	n.step()
	if e.State.Over() {
		e.expires = n.now.Add(parley.JobLife)
	}
	n.keepFewErrands()
	return mailbox.Reply{Job: c.Job, Revision: n.last}, nil
}

// keepFewErrands drops the oldest archives of too many, each in a step.
func (n *naive) keepFewErrands() {
	var kept []*errand
	for _, e := range n.errands {
		if e.made != "" {
			kept = append(kept, e)
		}
	}
	slices.SortStableFunc(kept, func(a, b *errand) int { return a.expires.Compare(b.expires) })
	for ; len(kept) > parley.MaxExports; kept = kept[1:] {
		kept[0].made = ""
		n.step()
	}
}
