package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// deleteFolder empties a folder and then forgets it. One part of it looks at up
// to MaxTouched messages; a repeat of one that was cut off finds the folder as far
// emptied as it was, and goes on.
func (d *decider) deleteFolder(c DeleteFolder) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	ft := d.folders()
	if _, err := ft.own(c.ID, c.IfMatch); err != nil {
		return err
	}
	if ft.parent(c.ID) {
		return refuseFolder(parley.Conflict, "", "there are others below it: delete or move those first")
	}
	list := d.tree(allThreads(c.ID))
	if list.Len() > 0 && c.Messages == parley.LeaveNone {
		return refuseFolder(parley.Conflict, "messages", "it has messages: say where they go")
	}
	ms, at := d.inFolder(c)
	if d.lacks() {
		return nil
	}
	if list.Len() > 0 && len(ms) == 0 && at.Thread == "" {
		return parley.E(parley.Internal, "mailbox.folder", "a folder lists threads that have nothing in it")
	}
	d.leave(c, ms)
	if list.Len() > 0 {
		c.IfMatch, c.Thread, c.After = 0, at.Thread, at.After
		d.out.Next = c
		return nil
	}
	a := Action{FolderGone: &FolderGone{ID: c.ID}}
	a.Key = d.memory(c.Cmd, parley.KeyLife, Answer{Folder: c.ID})
	d.add(a)
	return nil
}

// inFolder looks at the next messages of the threads in a folder and gives those
// that are in it, and where to go on: threads that were looked at to their end
// have left the list by then.
func (d *decider) inFolder(c DeleteFolder) (ms []*Message, at DeleteFolder) {
	var ids []parley.MessageID
	for _, key := range d.tree(allThreads(c.ID)).Ascend(nil, false, MaxTouched) {
		th := d.thread(threadIDOf(key))
		if th == nil {
			continue // not loaded yet: asked again
		}
		var after []byte
		if th.ID == c.Thread {
			after = c.After
		}
		some := d.messageIDs(th.ID, after, MaxTouched-len(ids))
		ids, at.Thread, at.After = append(ids, some...), th.ID, after
		if len(ids) >= MaxTouched {
			break
		}
	}
	for _, id := range ids {
		if m := d.message(id); m != nil {
			if m.in(c.ID) {
				ms = append(ms, m)
			}
			at.After = m.order()
		}
	}
	if len(ids) < MaxTouched {
		at = DeleteFolder{}
	}
	return ms, at
}

// leave takes messages out of the folder; what is in no other folder goes where
// the command says.
func (d *decider) leave(c DeleteFolder, ms []*Message) {
	out, gone := &Changed{Remove: []parley.FolderID{c.ID}}, []*Message(nil)
	last := &Changed{Replace: []parley.FolderID{parley.Trash}}
	for _, m := range ms {
		switch only := !c.ID.IsLabel() && m.onlyFolder(c.ID); {
		case only && c.Messages == parley.LeaveRemove:
			gone = append(gone, m)
		case only && c.Messages == parley.LeaveTrash:
			last.include(m)
		default: // what is nowhere else lands in Archive
			out.include(m)
		}
	}
	for _, ch := range []*Changed{out, last} {
		if len(ch.Groups) > 0 {
			d.owned(Action{Changed: ch}, true)
		}
	}
	if p := purgeOf(gone); p != nil {
		d.out.Blank = append(d.out.Blank, p.Actions...)
		d.add(Action{Purged: p})
	}
}

// lost adds folders that are gone to a list of them: what is restored does not
// come back there.
func (d *decider) lost(gone, before []parley.FolderID) []parley.FolderID {
	for _, f := range before {
		if !d.known(f) {
			gone = insert(gone, f)
		}
	}
	return gone
}

// onlyFolder reports whether the message is in this folder and no other; labels
// do not count.
func (m *Message) onlyFolder(f parley.FolderID) bool {
	return !slices.ContainsFunc(m.Folders, func(h parley.FolderID) bool { return h != f && !h.IsLabel() })
}
