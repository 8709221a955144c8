package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

func notFound(op string) error { return parley.E(parley.NotFound, op, "there is no such thing here") }

// changeMessages sets folders and keywords of messages named one by one.
func (d *decider) changeMessages(c ChangeMessages) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if len(c.Messages) > MaxTouched {
		return &parley.Error{Code: parley.BadRequest, Op: "mailbox.change", Public: "too many messages at once", Field: "messages"}
	}
	if err := checkChange(c.Change); err != nil {
		return err
	}
	ch := changed(c.Change)
	for _, id := range c.Messages {
		m := d.message(id)
		if m == nil || m.Notice != "" {
			return notFound("mailbox.change")
		}
		if c.IfMatch != 0 && m.Revision != c.IfMatch {
			return parley.E(parley.Stale, "mailbox.change", "the message has changed since")
		}
		if ch.alters(m) {
			ch.include(m)
		}
	}
	d.addChange(c.Cmd, ch, Answer{Messages: c.Messages})
	return nil
}

func (d *decider) addChange(cmd parley.Command, ch *Changed, ans Answer) {
	if len(ch.Groups) == 0 && cmd.ID.IsZero() {
		d.memory(cmd, 0, ans)
		return
	}
	// Under a key also a change that changes nothing is an action: its repeat, after
	// other changes, must not be decided anew.
	a := Action{Changed: ch}
	a.Key = d.memory(cmd, parley.KeyLife, ans)
	d.add(a)
}

// changed writes a PATCH as the action it becomes.
func changed(c parley.Change) *Changed {
	ch := &Changed{Replace: c.Folders, Add: c.Add, Remove: c.Remove}
	keyword := func(on *bool, k parley.Keyword) {
		switch {
		case on == nil:
		case *on:
			ch.Set = append(ch.Set, k)
		default:
			ch.Clear = append(ch.Clear, k)
		}
	}
	keyword(c.Seen, parley.Seen)
	keyword(c.Flagged, parley.Flagged)
	return ch
}

// checkChange refuses folders that are not there.
func checkChange(c parley.Change) error {
	for _, f := range slices.Concat(c.Folders, c.Add, c.Remove) {
		if !slices.Contains(parley.FixedFolders[:], f) {
			return &parley.Error{Code: parley.BadRequest, Op: "mailbox.change", Public: "there is no such folder", Field: "folders"}
		}
	}
	if c.Folders != nil && len(c.Folders) == 0 {
		return &parley.Error{Code: parley.BadRequest, Op: "mailbox.change", Public: "a message is always in a folder", Field: "folders"}
	}
	return nil
}

// alters reports whether the action would change the message at all.
func (c *Changed) alters(m *Message) bool {
	after := m.clone()
	c.set(after)
	return !slices.Equal(after.Folders, m.Folders) || !slices.Equal(after.Keywords, m.Keywords)
}

func (c *Changed) include(m *Message) {
	for i := range c.Groups {
		if c.Groups[i].Thread == m.Thread {
			if !slices.Contains(c.Groups[i].Messages, m.ID) {
				c.Groups[i].Messages = append(c.Groups[i].Messages, m.ID)
			}
			return
		}
	}
	c.Groups = append(c.Groups, Group{Thread: m.Thread, Messages: []parley.MessageID{m.ID}})
}

// changeThread applies to all messages now in the thread, up to MaxTouched in
// one action; what is left goes on as the next command of the series.
func (d *decider) changeThread(c ChangeThread) error {
	if c.After == nil {
		if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
			return err
		}
	}
	if err := checkChange(c.Change.Change); err != nil {
		return err
	}
	th := d.resolve(c.Thread)
	switch {
	case th == nil && c.After != nil: // the series purged all there was
		d.addChange(c.Cmd, &Changed{}, Answer{Thread: c.Thread})
		return nil
	case th == nil:
		return notFound("mailbox.thread")
	}
	if c.IfMatch != 0 && th.Revision != c.IfMatch {
		return parley.E(parley.Stale, "mailbox.thread", "the thread has changed since")
	}
	ids := d.messageIDs(th.ID, c.After, MaxTouched)
	last := len(ids) < MaxTouched
	cmd, ans := c.Cmd, Answer{Thread: th.ID}
	if !last { // the key is remembered with the end of the series
		cmd = parley.Command{}
		d.out.Next = c.onwards(d.message(ids[len(ids)-1]))
	}
	if c.Op == OpDelete && th.onlyIn(parley.Trash) {
		d.purgeMessages(cmd, ids, ans)
		return nil
	}
	if last {
		d.stick(th, c)
	}
	ch := c.changed(th)
	for _, id := range ids {
		if m := d.message(id); m != nil && m.Notice == "" && c.covers(m) && ch.alters(m) {
			ch.include(m)
		}
	}
	d.addChange(cmd, ch, ans)
	return nil
}

// onwards is the rest of a series, after message m.
func (c ChangeThread) onwards(m *Message) any {
	c.IfMatch, c.After = 0, []byte{}
	if m != nil {
		c.After = m.order()
	}
	return c
}

// onlyIn reports whether every message is in this folder and no other.
func (th *Thread) onlyIn(f parley.FolderID) bool {
	return th.Messages > 0 && len(th.Folders) == 1 && th.Folders[0].Folder == f
}

// covers says which messages an archive or restore is about.
func (c ChangeThread) covers(m *Message) bool {
	switch {
	case c.Op == OpRestore:
		return m.in(parley.Trash)
	case c.Change.Archived != nil && *c.Change.Archived:
		return m.in(parley.Inbox) || c.hasMore()
	case c.Change.Archived != nil:
		return m.in(parley.Archive) || c.hasMore()
	default:
		return true
	}
}

func (c ChangeThread) hasMore() bool {
	return c.Change.Seen != nil || c.Change.Flagged != nil || c.Change.Folders != nil || c.Change.Add != nil
}

// changed writes the thread's operation as one action on messages.
func (c ChangeThread) changed(*Thread) *Changed {
	ch := changed(c.Change.Change)
	switch {
	case c.Op == OpDelete:
		return &Changed{Replace: []parley.FolderID{parley.Trash}}
	case c.Op == OpRestore:
		return &Changed{Restore: true}
	case c.Change.Archived != nil && *c.Change.Archived:
		ch.Remove = append(ch.Remove, parley.Inbox) // what is nowhere else lands in Archive
	case c.Change.Archived != nil:
		ch.Remove, ch.Add = append(ch.Remove, parley.Archive), append(ch.Add, parley.Inbox)
	}
	return ch
}

// stick sets what belongs to the thread rather than its messages.
func (d *decider) stick(th *Thread, c ChangeThread) {
	set := &ThreadSet{Thread: th.ID}
	if c.Change.Muted != nil && *c.Change.Muted != th.Muted {
		set.Muted = c.Change.Muted
	}
	if hide := c.Op == OpDelete; th.empty() && hide != th.Hidden && c.Op != OpNone {
		set.Hidden = &hide
	}
	if set.Muted != nil || set.Hidden != nil {
		d.add(Action{Thread: set})
	}
}

func (d *decider) deleteMessage(c DeleteMessage) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	m := d.message(c.Message)
	if m == nil || m.Notice != "" {
		return notFound("mailbox.delete")
	}
	if c.IfMatch != 0 && m.Revision != c.IfMatch {
		return parley.E(parley.Stale, "mailbox.delete", "the message has changed since")
	}
	ans := Answer{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}
	if m.in(parley.Trash) && len(m.Folders) == 1 {
		d.purgeMessages(c.Cmd, []parley.MessageID{m.ID}, ans)
		return nil
	}
	ch := &Changed{Replace: []parley.FolderID{parley.Trash}}
	ch.include(m)
	d.addChange(c.Cmd, ch, ans)
	return nil
}

// purgeMessages removes messages for good and blanks the actions that hold them.
func (d *decider) purgeMessages(cmd parley.Command, ids []parley.MessageID, ans Answer) {
	p, groups := &Purged{}, &Changed{}
	for _, id := range ids {
		if m := d.message(id); m != nil {
			groups.include(m)
			p.Actions = append(append(p.Actions, m.Filed), m.Logged...)
		}
	}
	if len(groups.Groups) == 0 {
		d.addChange(cmd, &Changed{}, ans)
		return
	}
	p.Groups = groups.Groups
	d.out.Blank = append(d.out.Blank, p.Actions...)
	a := Action{Purged: p}
	a.Key = d.memory(cmd, parley.KeyLife, ans)
	d.add(a)
}
