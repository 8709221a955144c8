package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

// changeThread applies to all messages now in the thread, up to MaxTouched in
// one action; what is left goes on as the next command of the series.
func (d *decider) changeThread(c ChangeThread) error {
	if c.After == nil {
		if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
			return err
		}
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
	if c.After == nil {
		if err := d.begin(&c, th); err != nil {
			return err
		}
	}
	ids, rest := d.part(th.ID, c.After)
	cmd, ans := c.Cmd, Answer{Thread: th.ID}
	d.prior = d.before(c)
	if rest {
		cmd = c.mark()
		m := d.message(ids[len(ids)-1])
		defer func() { d.out.Next = c.onwards(m, d.prior) }()
	}
	if c.Op == opPurge {
		d.purgeMessages(cmd, slices.DeleteFunc(ids, func(id parley.MessageID) bool { return !d.message(id).onlyIn(parley.Trash) }), ans)
		return nil
	}
	d.addAll(cmd, d.changeAll(th, c, ids, rest), ans, rest)
	return nil
}

// changeAll is what one part of a series does.
func (d *decider) changeAll(th *Thread, c ChangeThread, ids []parley.MessageID, rest bool) (all []Action) {
	if set := stick(th, c); set != nil && !rest {
		all = append(all, Action{Thread: set})
	}
	plain, moved := changed(c.Change.Change), c.moved()
	if c.Op != OpNone {
		plain = &Changed{}
	}
	for _, id := range ids {
		m, ch := d.message(id), plain
		if c.Op == OpRestore && m != nil {
			moved.Remove = d.lost(moved.Remove, m.Before)
		}
		if c.moves(m) {
			ch = moved
		}
		if m != nil && ch.alters(m) {
			ch.include(m)
		}
	}
	for _, ch := range []*Changed{plain, moved} {
		if len(ch.Groups) > 0 {
			all = append(all, Action{Changed: ch})
		}
	}
	return all
}

// addAll ends a command with several actions, of which the last has the key.
func (d *decider) addAll(cmd parley.Command, all []Action, ans Answer, more bool) {
	if len(all) == 0 {
		d.addChange(cmd, &Changed{}, ans, more)
		return
	}
	all[len(all)-1].Key = d.memory(cmd, parley.KeyLife, ans)
	for i, a := range all {
		d.owned(a, more || i < len(all)-1)
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
func (c ChangeThread) moves(m *Message) bool {
	switch {
	case m == nil:
		return false
	case c.Op == opTrash:
		return true
	case c.Op == OpRestore:
		return m.in(parley.Trash)
	case c.Change.Archived == nil:
		return false
	case *c.Change.Archived:
		return m.in(parley.Inbox)
	default:
		return m.in(parley.Archive)
	}
}

// moved is what happens to a message that the operation moves, with all else that
// was asked for.
func (c ChangeThread) moved() *Changed {
	ch := changed(c.Change.Change)
	switch {
	case c.Op == opTrash:
		return &Changed{Replace: []parley.FolderID{parley.Trash}}
	case c.Op == OpRestore:
		return &Changed{Restore: true}
	case c.Change.Archived == nil:
	case *c.Change.Archived:
		ch.Remove = append(slices.Clone(ch.Remove), parley.Inbox) // what is nowhere else lands in Archive
	default:
		ch.Remove, ch.Add = append(slices.Clone(ch.Remove), parley.Archive), append(slices.Clone(ch.Add), parley.Inbox)
	}
	return ch
}

// stick sets what belongs to the thread rather than its messages; nil is nothing.
func stick(th *Thread, c ChangeThread) *ThreadSet {
	set := &ThreadSet{Thread: th.ID}
	if c.Change.Muted != nil && *c.Change.Muted != th.Muted {
		set.Muted = c.Change.Muted
	}
	if hide := c.Op == opTrash; th.empty() && hide != th.Hidden && c.Op != OpNone {
		set.Hidden = &hide
	}
	if set.Muted == nil && set.Hidden == nil {
		return nil
	}
	return set
}
