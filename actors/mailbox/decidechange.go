package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

func notFound(op string) error { return parley.E(parley.NotFound, op, "there is no such thing here") }

// errID refuses to file what no list could show: indexes hold the bits of ids.
var errID = parley.E(parley.BadRequest, "mailbox.deliver", "this is not an id")

// changeMessages sets folders and keywords of messages named one by one.
func (d *decider) changeMessages(c ChangeMessages) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if len(c.Messages) > MaxTouched {
		return &parley.Error{Code: parley.BadRequest, Op: "mailbox.change", Public: "too many messages at once", Field: "messages"}
	}
	if err := d.checkChange(c.Change); err != nil {
		return err
	}
	for _, id := range c.Messages {
		d.message(id) // so that all that lack are asked for at once
	}
	ch := changed(c.Change)
	for _, id := range c.Messages {
		m := d.message(id)
		if m == nil || m.Notice != "" {
			return notFound("mailbox.change")
		}
		if m.draft() {
			return isDraft()
		}
		if m.posted() && toDrafts(c.Change) {
			return notADraft()
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

// toDrafts reports whether a change puts messages into Drafts. What all of a room
// have read is not being written any more; a mail program may keep mail there.
func toDrafts(c parley.Change) bool {
	return slices.Contains(c.Folders, parley.Drafts) || slices.Contains(c.Add, parley.Drafts)
}

// posted reports whether the message is a room's.
func (m *Message) posted() bool { return m.Seq > 0 }

func notADraft() error {
	return refuseFolder(parley.NotADraft, "folders", "what was posted in a room does not go to Drafts")
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
	d.owned(a, false)
}

// owned adds an action of the owner's, tied to the one before it of the same
// command, so that all of them can be taken back.
func (d *decider) owned(a Action, more bool) {
	if a.Changed != nil {
		a.Changed.Was = d.places(a.Changed.Groups)
	}
	a.Prior, a.More = d.prior, more
	d.prior = d.next
	d.add(a)
}

// changed writes a PATCH as the action it becomes.
func changed(c parley.Change) *Changed {
	ch := &Changed{Replace: c.Folders, Labels: c.Labels, Add: c.Add, Remove: c.Remove}
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

// checkChange refuses folders that are not there, and labels in the place of folders.
func (d *decider) checkChange(c parley.Change) error {
	switch {
	case slices.ContainsFunc(c.Folders, parley.FolderID.IsLabel):
		return refuseFolder(parley.BadRequest, "folders", "labels are named apart from folders")
	case slices.ContainsFunc(c.Labels, func(f parley.FolderID) bool { return !f.IsLabel() }):
		return refuseFolder(parley.BadRequest, "labels", "folders are named apart from labels")
	case c.Folders != nil && len(c.Folders) == 0:
		return refuseFolder(parley.BadRequest, "folders", "a message is always in a folder")
	}
	if err := d.checkFolders("labels", c.Labels); err != nil {
		return err
	}
	return d.checkFolders("folders", slices.Concat(c.Folders, c.Add, c.Remove))
}

func (d *decider) checkFolders(field string, fs []parley.FolderID) error {
	for _, f := range fs {
		if !d.known(f) {
			return refuseFolder(parley.NotFound, field, "there is no such folder")
		}
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

// changeMany changes messages named one by one, those that are here.
func (d *decider) changeMany(c ChangeMany) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if len(c.Messages) > parley.MaxListed {
		return &parley.Error{Code: parley.BadRequest, Op: "mailbox.change", Public: "too many messages at once", Field: "ids"}
	}
	if err := d.checkChange(c.Change); err != nil {
		return err
	}
	w := Work{Messages: c.Messages, Patch: *changed(c.Change), IfMatch: c.IfMatch}
	return d.bulk(c.Cmd, c.Job, parley.JobChangeMessages, w, int64(len(c.Messages)), Answer{})
}

// readFolder marks all unread messages in a folder read.
func (d *decider) readFolder(c ReadFolder) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	if err := d.checkFolders("folder", []parley.FolderID{c.Folder}); err != nil {
		return err
	}
	w := Work{Folder: c.Folder, Patch: Changed{Set: []parley.Keyword{parley.Seen}}}
	var unread int64
	for _, f := range d.header().Folders {
		if f.Folder == c.Folder {
			unread = f.Unread
		}
	}
	return d.bulk(c.Cmd, c.Job, parley.JobReadFolder, w, unread, Answer{})
}

func (d *decider) deleteMessage(c DeleteMessage) error {
	if done, err := d.repeated(c.Cmd, parley.KeyLife); done || err != nil {
		return err
	}
	m := d.message(c.Message)
	if m == nil || m.Notice != "" {
		return notFound("mailbox.delete")
	}
	if m.draft() {
		return isDraft()
	}
	if c.IfMatch != 0 && m.Revision != c.IfMatch {
		return parley.E(parley.Stale, "mailbox.delete", "the message has changed since")
	}
	ans := Answer{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}
	if m.onlyIn(parley.Trash) {
		gone := purgeOf([]*Message{m})
		d.out.Blank = gone.Actions
		d.addAll(c.Cmd, []Action{{Purged: gone}}, ans)
		return nil
	}
	ch := &Changed{Replace: []parley.FolderID{parley.Trash}}
	ch.include(m)
	d.addChange(c.Cmd, ch, ans)
	return nil
}

// purgeOf removes messages for good and blanks the actions that hold them; nil is
// nothing to do.
func purgeOf(ms []*Message) *Purged {
	p, groups := &Purged{}, &Changed{}
	for _, m := range ms {
		groups.include(m)
		p.Actions = append(append(p.Actions, m.Filed), m.Logged...)
	}
	if p.Groups = groups.Groups; len(p.Groups) == 0 {
		return nil
	}
	return p
}
