package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// changeThread applies to all messages now in the thread.
func (d *decider) changeThread(c ChangeThread) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if err := d.checkChange(c.Change.Change); err != nil {
		return err
	}
	th := d.resolve(c.Thread)
	if th == nil {
		return notFound("mailbox.thread")
	}
	if c.Op == OpDelete && th.onlyDrafts() {
		return d.discardAll(c, th)
	}
	if th.Kind == parley.KindRoom && toDrafts(c.Change.Change) {
		return notADraft()
	}
	if c.IfMatch != 0 && th.Revision != c.IfMatch {
		return parley.E(parley.Stale, "mailbox.thread", "the thread has changed since")
	}
	w := Work{Thread: th.ID, Patch: *changed(c.Change.Change), Archive: switchOf(c.Change.Archived), Mute: switchOf(c.Change.Muted), Op: c.Op}
	kind := parley.JobChangeThread
	switch {
	case c.Op == OpRestore:
		kind = parley.JobRestoreThread
	case c.Op == OpDelete && th.onlyIn(parley.Trash):
		kind, w.Op = parley.JobPurgeThread, opPurge
	case c.Op == OpDelete:
		kind, w.Op = parley.JobDeleteThread, opTrash
	}
	return d.bulk(c.Cmd, c.Job, kind, w, th.Messages, Answer{Thread: th.ID})
}

// addAll ends a command with several actions, of which the last has the key.
func (d *decider) addAll(cmd parley.Command, all []Action, ans Answer) {
	if len(all) == 0 {
		d.addChange(cmd, &Changed{}, ans)
		return
	}
	all[len(all)-1].Key = d.memory(cmd, parley.KeyLife, ans)
	for i, a := range all {
		d.owned(a, i < len(all)-1)
	}
}

// onlyIn reports whether every message is in this folder and no other. Drafts are
// left out, which are never in Trash.
func (th *Thread) onlyIn(f parley.FolderID) bool {
	return th.Messages > 0 && !slices.ContainsFunc(th.Folders, func(in ThreadFolder) bool {
		return in.Folder != f && (in.Folder != parley.Drafts || in.Total > th.Drafts)
	})
}

func (m *Message) onlyIn(f parley.FolderID) bool {
	return m != nil && len(m.Folders) == 1 && m.Folders[0] == f
}

// moves says which messages the operation moves: to archive a thread leaves those
// alone that are not in Inbox, and to take it back those that are not in Archive.
func (w *Work) moves(m *Message) bool {
	switch {
	case w.Op == opTrash:
		return true
	case w.Op == OpRestore:
		return m.in(parley.Trash)
	case w.Archive == On:
		return m.in(parley.Inbox)
	}
	return w.Archive == Off && m.in(parley.Archive)
}

// plain is what happens to a message that the operation does not move.
func (w *Work) plain() *Changed {
	if w.Op != OpNone {
		return &Changed{}
	}
	ch := w.Patch
	return &ch
}

// moved is what happens to a message that the operation moves, with all else that
// was asked for.
func (w *Work) moved() *Changed {
	ch := w.Patch
	switch {
	case w.Op == opTrash:
		return &Changed{Replace: []parley.FolderID{parley.Trash}}
	case w.Op == OpRestore:
		return &Changed{Restore: true}
	case w.Archive == On:
		ch.Remove = append(slices.Clone(ch.Remove), parley.Inbox) // what is nowhere else lands in Archive
	case w.Archive == Off:
		ch.Remove, ch.Add = append(slices.Clone(ch.Remove), parley.Archive), append(slices.Clone(ch.Add), parley.Inbox)
	}
	return &ch
}

// stick sets what belongs to the thread rather than its messages; nil is nothing.
func (w *Work) stick(th *Thread) *ThreadSet {
	set := &ThreadSet{Thread: th.ID}
	if mute := w.Mute == On; w.Mute != Leave && mute != th.Muted {
		set.Muted = &mute
	}
	if hide := w.Op == opTrash; th.empty() && hide != th.Hidden && w.Op != OpNone {
		set.Hidden = &hide
	}
	if set.Muted == nil && set.Hidden == nil {
		return nil
	}
	return set
}
