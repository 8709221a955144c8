package mailbox_test

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// changeThread does one thing to all messages now in a thread.
func (n *naive) changeThread(c mailbox.ChangeThread) (mailbox.Reply, error) {
	if err := n.checkFolders(c.Change.Change); err != nil {
		return mailbox.Reply{}, err
	}
	th := n.thread(c.Thread)
	switch {
	case th == nil:
		return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
	case th.Kind == parley.KindRoom && drafts(c.Change.Change):
		return mailbox.Reply{}, parley.E(parley.NotADraft, "", "")
	case c.IfMatch != 0 && c.IfMatch != th.Revision:
		return mailbox.Reply{}, parley.E(parley.Stale, "", "")
	}
	all := n.of(th.ID, false)
	r := mailbox.Reply{Thread: th.ID}
	switch c.Op {
	case mailbox.OpDelete:
		for _, m := range n.draftsOf(th.ID) {
			if len(all) == 0 && th.Kind == parley.KindMail && !m.Sending.IsZero() {
				return mailbox.Reply{}, parley.E(parley.AlreadySent, "", "")
			}
		}
		n.deleteThread(th, all)
	case mailbox.OpRestore:
		n.restore(th, all)
	default:
		n.patchThread(th, all, c.Change)
	}
	return r, nil
}

// deleteThread moves all to Trash; when all is there, and nowhere else, it purges.
// A room without messages leaves the lists.
func (n *naive) deleteThread(th *talk, all []*note) {
	var touched []*note
	for _, m := range all {
		if m.besides(parley.Trash) {
			m.move([]parley.FolderID{parley.Trash})
			touched = append(touched, m)
		}
	}
	switch {
	case len(all) == 0 && th.Kind == parley.KindMail:
		for _, m := range n.draftsOf(th.ID) {
			n.drop(m)
		}
	case len(all) == 0 && !th.hidden:
		th.hidden, th.Revision = true, n.step()
		n.acts = append(n.acts, act{thread: th.ID, setting: "hidden", to: true})
	case len(all) > 0 && len(touched) == 0:
		n.purge(all)
	}
	n.stamp(touched)
}

// restore brings the folders back, and an emptied room into the lists.
func (n *naive) restore(th *talk, all []*note) {
	if len(all) == 0 && th.hidden {
		th.hidden, th.Revision = false, n.step()
		n.acts = append(n.acts, act{thread: th.ID, setting: "hidden", to: false})
	}
	var touched []*note
	for _, m := range all {
		if m.in(parley.Trash) {
			m.move(slices.DeleteFunc(slices.Clone(m.before), func(f parley.FolderID) bool { return !n.all([]parley.FolderID{f}) }))
			touched = append(touched, m)
		}
	}
	n.stamp(touched)
}

// patchThread archives what is in Inbox, and takes back what is in Archive;
// everything else is done to every message.
func (n *naive) patchThread(th *talk, all []*note, c parley.ThreadChange) {
	if c.Muted != nil && *c.Muted != th.Muted {
		th.Muted, th.Revision = *c.Muted, n.step()
		n.acts = append(n.acts, act{thread: th.ID, setting: "muted", to: *c.Muted})
	}
	var plain, moved []*note
	for _, m := range all {
		switch {
		case c.Archived != nil && *c.Archived && m.in(parley.Inbox):
			d := c.Change
			d.Remove = append(slices.Clone(d.Remove), parley.Inbox)
			if n.patch(m, d) {
				moved = append(moved, m)
			}
		case c.Archived != nil && !*c.Archived && m.in(parley.Archive):
			d := c.Change
			d.Remove, d.Add = append(slices.Clone(d.Remove), parley.Archive), append(slices.Clone(d.Add), parley.Inbox)
			if n.patch(m, d) {
				moved = append(moved, m)
			}
		case n.patch(m, c.Change):
			plain = append(plain, m)
		}
	}
	n.stamp(plain)
	n.stamp(moved)
}

func (n *naive) deleteMessage(c mailbox.DeleteMessage) (mailbox.Reply, error) {
	m := n.find(c.Message)
	switch {
	case n.slip(c.Message) != nil:
		return mailbox.Reply{}, parley.E(parley.BadRequest, "", "")
	case m == nil || m.Notice != "":
		return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
	case c.IfMatch != 0 && c.IfMatch != m.Revision:
		return mailbox.Reply{}, parley.E(parley.Stale, "", "")
	}
	r := mailbox.Reply{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}
	if !m.besides(parley.Trash) {
		n.purge([]*note{m})
		return r, nil
	}
	m.move([]parley.FolderID{parley.Trash})
	n.stamp([]*note{m})
	return r, nil
}

// purge forgets messages for good. A mail thread goes with its last message; a
// room stays, out of the lists until something comes.
func (n *naive) purge(ms []*note) {
	n.step()
	for _, m := range ms {
		n.messages = slices.DeleteFunc(n.messages, func(have *note) bool { return have == m })
		th := n.threads[m.Thread]
		th.Revision = n.last
		switch {
		case len(n.of(th.ID, false)) > 0:
		case th.Kind == parley.KindRoom:
			th.hidden = true
		case len(n.draftsOf(th.ID)) > 0:
		default:
			delete(n.threads, th.ID)
		}
	}
}
