package codec

import (
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

// EncodeAction gives the cell of an action, of which exactly one kind is set.
func EncodeAction(a *mailbox.Action) ([]byte, error) {
	var w writer
	out := &record.Action{N: uint64(a.N), At: micros(a.At), Key: optional(a.Key, memory), Badge: a.Badge, Other: a.Other,
		Prior: uint64(a.Prior), More: a.More, Undoing: optional(a.Undoing, undoing)}
	if n := w.kind(a, out); n != 1 {
		return nil, fmt.Errorf("codec: action %d is of %d kinds", a.N, n)
	}
	b, err := w.marshal(out)
	if err != nil {
		return nil, fmt.Errorf("action %d: %w", a.N, err)
	}
	return b, nil
}

// kind sets the kind and counts how many there are.
func (w *writer) kind(a *mailbox.Action, out *record.Action) (n int) {
	set := func(is bool, kind func()) {
		if is {
			kind()
			n++
		}
	}
	set(a.Filed != nil, func() { out.Kind = &record.Action_Filed{Filed: w.filed(a.Filed)} })
	set(a.Arrived != nil, func() { out.Kind = &record.Action_Arrived{Arrived: w.arrived(a.Arrived)} })
	set(a.Merged != nil, func() { out.Kind = &record.Action_Merged{Merged: merged(a.Merged)} })
	set(a.Split != nil, func() { out.Kind = &record.Action_Split{Split: splitOff(a.Split)} })
	set(a.Reparsed != nil, func() { out.Kind = &record.Action_Reparsed{Reparsed: w.reparsed(a.Reparsed)} })
	set(a.Changed != nil, func() { out.Kind = &record.Action_Changed{Changed: changed(a.Changed)} })
	set(a.Thread != nil, func() { out.Kind = &record.Action_Thread{Thread: threadSet(a.Thread)} })
	set(a.Purged != nil, func() { out.Kind = &record.Action_Purged{Purged: purged(a.Purged)} })
	set(a.Uploaded != nil, func() { out.Kind = &record.Action_Uploaded{Uploaded: uploaded(a.Uploaded)} })
	set(a.Folder != nil, func() { out.Kind = &record.Action_Folder{Folder: folderSet(a.Folder)} })
	set(a.FolderGone != nil, func() {
		out.Kind = &record.Action_FolderGone{FolderGone: &record.FolderGone{Id: string(a.FolderGone.ID)}}
	})
	set(a.Closed != nil, func() { out.Kind = &record.Action_Closed{Closed: &record.Closed{}} })
	set(a.Drafted != nil, func() { out.Kind = &record.Action_Drafted{Drafted: w.drafted(a.Drafted)} })
	set(a.Sending != nil, func() { out.Kind = &record.Action_Sending{Sending: sending(a.Sending)} })
	set(a.Discarded != nil, func() { out.Kind = &record.Action_Discarded{Discarded: discarded(a.Discarded)} })
	set(a.Started != nil, func() { out.Kind = &record.Action_Started{Started: &record.Started{Job: w.job(&a.Started.Job)}} })
	set(a.Progressed != nil, func() { out.Kind = &record.Action_Progressed{Progressed: w.progressed(a.Progressed)} })
	return n
}

// DecodeAction reads what EncodeAction wrote; of a kind that this version does
// not know it is ErrUnknownAction.
func DecodeAction(b []byte) (mailbox.Action, error) {
	var r reader
	m := &record.Action{}
	r.unmarshal(b, m)
	a := r.action(m)
	if r.err != nil {
		return mailbox.Action{}, fmt.Errorf("action %d: %w", m.N, r.err)
	}
	return a, nil
}

func (r *reader) action(m *record.Action) mailbox.Action {
	a := mailbox.Action{
		N: parley.Revision(m.N), At: moment(m.At), Key: optional(m.Key, r.memory), Badge: m.Badge, Other: m.Other,
		Prior: parley.Revision(m.Prior), More: m.More, Undoing: optional(m.Undoing, r.undoing),
	}
	switch kind := m.Kind.(type) {
	case *record.Action_Filed:
		a.Filed = r.filed(kind.Filed)
	case *record.Action_Arrived:
		a.Arrived = r.arrived(kind.Arrived)
	case *record.Action_Merged:
		a.Merged = r.merged(kind.Merged)
	case *record.Action_Split:
		a.Split = r.split(kind.Split)
	case *record.Action_Reparsed:
		a.Reparsed = r.reparsed(kind.Reparsed)
	case *record.Action_Changed:
		a.Changed = r.changed(kind.Changed)
	case *record.Action_Thread:
		a.Thread = r.threadSet(kind.Thread)
	case *record.Action_Purged:
		a.Purged = r.purged(kind.Purged)
	case *record.Action_Uploaded:
		a.Uploaded = r.uploaded(kind.Uploaded)
	case *record.Action_Folder:
		a.Folder = r.folderSet(kind.Folder)
	case *record.Action_FolderGone:
		a.FolderGone = &mailbox.FolderGone{ID: parley.FolderID(kind.FolderGone.GetId())}
	case *record.Action_Closed:
		a.Closed = &mailbox.Closed{}
	case *record.Action_Drafted:
		a.Drafted = r.drafted(kind.Drafted)
	case *record.Action_Sending:
		a.Sending = r.sending(kind.Sending)
	case *record.Action_Discarded:
		a.Discarded = r.discarded(kind.Discarded)
	case *record.Action_Started:
		a.Started = &mailbox.Started{Job: *r.job(kind.Started.GetJob())}
	case *record.Action_Progressed:
		a.Progressed = r.progressed(kind.Progressed)
	default:
		r.unknown()
	}
	return a
}

func (r *reader) unknown() {
	if r.err == nil {
		r.err = ErrUnknownAction
	}
}

func memory(k *mailbox.Memory) *record.Memory {
	return &record.Memory{Id: hash(k.ID), Body: digest(k.Body), Expires: micros(k.Expires), Answer: answer(k.Answer)}
}

func (r *reader) memory(k *record.Memory) *mailbox.Memory {
	return &mailbox.Memory{
		ID: unhash[parley.CommandID](r, k.Id), Body: r.digest(k.Body), Expires: moment(k.Expires),
		Answer: r.answer(k.Answer),
	}
}
