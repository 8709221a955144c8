package mailbox

import (
	"time"

	"github.com/parley-im/parley"
)

// Decide says what a command comes to and changes nothing. Its errors are
// *Need, or carry a code of package parley.
func (s *State) Decide(cmd any, now time.Time) (Decision, error) {
	d := &decider{tx: s.begin(), now: now}
	d.next = d.header().Last + 1
	err := d.command(cmd)
	if missing := d.missing(); missing != nil {
		return Decision{}, missing
	}
	if err != nil {
		return Decision{}, err
	}
	d.out.Reply.Revision = d.header().Last
	if d.replay > 0 {
		d.out.Reply.Revision = d.replay
	}
	return d.out, nil
}

// decider collects the actions of one command on top of a state that stays as it is.
type decider struct {
	*tx
	now    time.Time
	next   parley.Revision
	out    Decision
	replay parley.Revision
	prior  parley.Revision // the last action of this command so far
}

func (d *decider) command(cmd any) error {
	switch c := cmd.(type) {
	case Deliver:
		return d.deliver(c)
	case DeliverMail:
		return d.deliverMail(c)
	case ChangeMessages:
		return d.changeMessages(c)
	case ChangeThread:
		return d.changeThread(c)
	case ChangeMany:
		return d.changeMany(c)
	case ReadFolder:
		return d.readFolder(c)
	case CancelJob:
		return d.cancelJob(c)
	case Step:
		return d.step()
	case StartTransfer:
		return d.startTransfer(c)
	case TransferPart:
		return d.transferPart(c)
	case EndTransfer:
		return d.endTransfer(c)
	case spoiled:
		return d.spoil()
	case DeleteMessage:
		return d.deleteMessage(c)
	case SplitThread:
		return d.splitThread(c)
	case MergeThreads:
		return d.mergeThreads(c)
	case Reparse:
		return d.reparse(c)
	case Undo:
		return d.undo(undoing{Undo: c})
	case undoing:
		return d.undo(c)
	case Upload:
		return d.upload(c)
	case WriteDraft:
		return d.writeDraft(c)
	case DiscardDraft:
		return d.discardDraft(c)
	case SendDraft:
		return d.sendDraft(c)
	case KeepDraft:
		return d.keepDraft(c)
	case CreateFolder:
		return d.createFolder(c)
	case ChangeFolder:
		return d.changeFolder(c)
	case DeleteFolder:
		return d.deleteFolder(c)
	case Close:
		if !d.header().Closed {
			d.add(Action{Closed: &Closed{}})
		}
		return nil
	default:
		return parley.E(parley.Internal, "mailbox.decide", "unknown command")
	}
}

// add makes an action the next one, and folds it in so that those after it see it.
func (d *decider) add(a Action) {
	a.N, a.At = d.next, d.now
	d.next++
	d.apply(&a)
	h := d.header()
	a.Badge, a.Other = h.Badge, h.Other
	d.out.Actions = append(d.out.Actions, a)
}

// open refuses what a closed mailbox does not take.
func (d *decider) open() error {
	if d.header().Closed {
		return parley.E(parley.Gone, "mailbox", "this account is closed")
	}
	return nil
}

// repeated answers a command whose key is known. done means that nothing is left to do.
func (d *decider) repeated(c parley.Command, life time.Duration) (done bool, err error) {
	if c.ID.IsZero() {
		return false, nil
	}
	if !c.First.IsZero() && d.now.Sub(c.First) > life {
		return true, parley.E(parley.Expired, "mailbox", "the first attempt of this command is too old")
	}
	r := d.remembered(c.ID)
	if r == nil {
		return false, nil
	}
	if r.Body != c.Body {
		return true, mismatch()
	}
	d.replay = r.Revision
	d.out.Reply = Reply{Replayed: true, Messages: r.Answer.Messages, Thread: r.Answer.Thread, Blob: r.Answer.Blob, Folder: r.Answer.Folder, Undone: r.Answer.Undone,
		Job: r.Answer.Job, Tally: r.Answer.Tally}
	return true, nil
}

// remembered is the answer under a key; nil when there is none, or no more.
func (d *decider) remembered(id parley.CommandID) *Remembered {
	r, _ := d.get(commandKey(id)).(*Remembered)
	if r == nil || r.Expires <= d.now.UnixMicro() {
		return nil
	}
	return r
}

func mismatch() error {
	return parley.E(parley.KeyMismatch, "mailbox", "this key was used with another request")
}

// memory makes the command's answer part of its action.
func (d *decider) memory(c parley.Command, life time.Duration, a Answer) *Memory {
	d.out.Reply.Messages, d.out.Reply.Thread, d.out.Reply.Blob, d.out.Reply.Undone = a.Messages, a.Thread, a.Blob, a.Undone
	d.out.Reply.Folder, d.out.Reply.Job, d.out.Reply.Tally = a.Folder, a.Job, a.Tally
	if c.ID.IsZero() || life == 0 {
		return nil
	}
	return &Memory{ID: c.ID, Body: c.Body, Expires: d.now.Add(life), Answer: a}
}

func (d *decider) upload(c Upload) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if err := d.open(); err != nil {
		return err
	}
	a := Action{Uploaded: &Uploaded{ID: c.ID, Blob: c.Blob}}
	a.Key = d.memory(c.Cmd, parley.KeyLife, Answer{Blob: c.ID})
	d.add(a)
	return nil
}
