package mailbox_test

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// do carries out a command. got is what the product answered: where the rules
// leave a choice (which of two equal threads keeps its id) it is taken over.
func (n *naive) do(cmd any, now time.Time, got mailbox.Reply) (r mailbox.Reply, err error) {
	n.now = now
	before := n.watch()
	defer func() { n.note(cmd, before, r, err) }()
	switch c := cmd.(type) {
	case mailbox.Deliver:
		return n.deliver(c)
	case mailbox.DeliverMail:
		return n.keyed(c.Cmd, max(c.KeyLife, parley.MailKeyLife), c.KeyLife, func() (mailbox.Reply, error) { return n.mail(c, got) })
	case mailbox.ChangeMessages:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.changeMessages(c) })
	case mailbox.ChangeThread:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.changeThread(c) })
	case mailbox.ChangeMany:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.changeMany(c) })
	case mailbox.ReadFolder:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.readFolder(c) })
	case mailbox.DeleteMessage:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.deleteMessage(c) })
	case mailbox.SplitThread:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.split(c) })
	case mailbox.MergeThreads:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.mergeByHand(c) })
	case mailbox.Reparse:
		return n.reparse(c, got)
	case mailbox.Undo:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.undo(c) })
	case mailbox.Upload:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.upload(c) })
	case mailbox.WriteDraft:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.write(c) })
	case mailbox.DiscardDraft:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.discard(c) })
	case mailbox.SendDraft:
		return n.send(c)
	case mailbox.KeepDraft:
		return n.keep(c)
	case mailbox.CreateFolder:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.createFolder(c) })
	case mailbox.ChangeFolder:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.changeFolder(c) })
	case mailbox.DeleteFolder:
		return n.keyed(c.Cmd, parley.KeyLife, parley.KeyLife, func() (mailbox.Reply, error) { return n.deleteFolder(c) })
	case mailbox.Close:
		if !n.closed {
			n.closed = true
			n.step()
		}
		return mailbox.Reply{Revision: n.last}, nil
	}
	panic("no such command")
}

// keyed gives a repeat its first answer, and binds the key to its body.
func (n *naive) keyed(c parley.Command, limit, life time.Duration, do func() (mailbox.Reply, error)) (mailbox.Reply, error) {
	none := parley.CommandID{}
	if c.ID != none && !c.First.IsZero() && n.now.Sub(c.First) > limit {
		return mailbox.Reply{}, parley.E(parley.Expired, "", "")
	}
	if was, ok := n.keys[c.ID]; ok && was.expires.After(n.now) {
		if was.body != c.Body {
			return mailbox.Reply{}, parley.E(parley.KeyMismatch, "", "")
		}
		was.reply.Replayed, was.reply.Filed = true, false
		return was.reply, nil
	}
	before := n.last
	r, err := do()
	if err != nil {
		return r, err
	}
	if c.ID != none && life > 0 {
		if n.last == before {
			n.step() // there was nothing to do, which is remembered, too
		}
		r.Revision = n.last
		n.keys[c.ID] = answered{c.Body, n.now.Add(life), r}
	}
	r.Revision = n.last
	return r, nil
}

func (n *naive) upload(c mailbox.Upload) (mailbox.Reply, error) {
	if n.closed {
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	}
	n.step()
	n.uploads[c.ID] = time.UnixMicro(c.Blob.At)
	return mailbox.Reply{Blob: c.ID}, nil
}

// patch is what a change makes of one message; it reports whether there is a difference.
func (n *naive) patch(m *note, c parley.Change) bool {
	folders, keywords := m.Folders, m.Keywords
	flag := func(on *bool, k parley.Keyword) {
		switch {
		case on == nil:
		case *on:
			m.Keywords = set(append(slices.Clone(m.Keywords), k))
		default:
			m.Keywords = without(m.Keywords, k)
		}
	}
	flag(c.Seen, parley.Seen)
	flag(c.Flagged, parley.Flagged)
	to := m.Folders
	if c.Folders != nil {
		to = append(ofLabels(to), c.Folders...)
	}
	if c.Labels != nil {
		to = append(without(to, ofLabels(to)...), c.Labels...)
	}
	m.move(append(without(to, c.Remove...), c.Add...))
	return !slices.Equal(folders, m.Folders) || !slices.Equal(keywords, m.Keywords)
}

// stamp numbers the action that touched these messages and their threads.
func (n *naive) stamp(ms []*note) {
	if len(ms) == 0 {
		return
	}
	n.step()
	n.did(ms)
	for _, m := range ms {
		m.Revision = n.last
		n.threads[m.Thread].Revision = n.last
	}
}

func (n *naive) changeMessages(c mailbox.ChangeMessages) (mailbox.Reply, error) {
	if err := n.checkFolders(c.Change); err != nil {
		return mailbox.Reply{}, err
	}
	for _, id := range c.Messages {
		m := n.find(id)
		switch {
		case n.slip(id) != nil:
			return mailbox.Reply{}, parley.E(parley.BadRequest, "", "")
		case m == nil || m.Notice != "":
			return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
		case n.threads[m.Thread].Kind == parley.KindRoom && drafts(c.Change):
			return mailbox.Reply{}, parley.E(parley.NotADraft, "", "")
		case c.IfMatch != 0 && c.IfMatch != m.Revision:
			return mailbox.Reply{}, parley.E(parley.Stale, "", "")
		}
	}
	var touched []*note
	for _, id := range c.Messages {
		if m := n.find(id); n.patch(m, c.Change) {
			touched = append(touched, m)
		}
	}
	n.stamp(touched)
	return mailbox.Reply{Messages: c.Messages}, nil
}

// drafts reports whether a change puts messages into Drafts.
func drafts(c parley.Change) bool {
	return slices.Contains(slices.Concat(c.Folders, c.Add), parley.Drafts)
}

func (n *naive) checkFolders(c parley.Change) error {
	mixed := len(ofLabels(c.Folders)) > 0 || len(ofLabels(c.Labels)) < len(c.Labels)
	if mixed || c.Folders != nil && len(c.Folders) == 0 {
		return parley.E(parley.BadRequest, "", "")
	}
	if !n.all(slices.Concat(c.Folders, c.Labels, c.Add, c.Remove)) {
		return parley.E(parley.NotFound, "", "")
	}
	return nil
}
