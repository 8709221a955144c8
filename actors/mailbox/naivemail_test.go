package mailbox_test

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// mail files a mail, or one more arrival of it. got has the thread that it is in
// by the product's choice, which must be one of the largest that it belongs to, and
// which of several messages it doubles.
func (n *naive) mail(c mailbox.DeliverMail, got mailbox.Reply) (mailbox.Reply, error) {
	if n.closed {
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	}
	if !n.all(c.Folders) {
		return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
	}
	if same := n.doubled(c, got); same != nil {
		return n.again(same, c), nil
	}
	if c.Quota > 0 && n.bytes()+c.Message.Size > c.Quota {
		return mailbox.Reply{}, parley.E(parley.OverQuota, "", "")
	}
	signal, evidence := n.signal(c)
	id := n.join(c, got.Thread)
	th := n.threads[id]
	m := &note{order: c.Message.Received, refs: c.Nodes, content: c.Message.Content, own: c.Message.Own,
		answers: c.Message.Answers, arrivals: []parley.Arrival{c.Envelope}, filed: n.step(), signal: signal, evidence: evidence}
	m.Message = parley.Message{
		ID: c.Message.ID, Thread: id, Author: c.Message.Author, Channel: c.Message.Channel, Subject: c.Message.Subject,
		Excerpt: c.Message.Excerpt, At: time.UnixMicro(c.Message.At).UTC(), ReceivedAt: time.UnixMicro(c.Message.Received).UTC(),
		Size: c.Message.Size, MessageID: c.Message.MessageID, To: c.Message.To, Cc: c.Message.Cc, Revision: n.last,
	}
	for _, a := range c.Message.Attachments {
		m.Attachments = append(m.Attachments, a.Attachment)
	}
	n.sort(m, th, c)
	th.Revision = n.last
	n.hear(m)
	if !m.own && m.Author.Address != "" {
		n.wrote(m.Author.Address, c.Message.Received)
	}
	n.messages = append(n.messages, m)
	return mailbox.Reply{Messages: []parley.MessageID{m.ID}, Thread: id, Filed: true}, nil
}

// doubled is the message that a mail is one more arrival of. There are several
// where two came to read alike since.
func (n *naive) doubled(c mailbox.DeliverMail, got mailbox.Reply) (same *note) {
	if m := n.find(c.Message.ID); m != nil {
		return m
	}
	for _, m := range n.messages {
		if len(m.refs) > 0 && m.refs[0] == c.Nodes[0] && m.content == c.Message.Content && m.Author.Address == c.Message.Author.Address {
			if same == nil || slices.Contains(got.Messages, m.ID) {
				same = m
			}
		}
	}
	return same
}

// sort chooses folders and keywords.
func (n *naive) sort(m *note, th *talk, c mailbox.DeliverMail) {
	m.Keywords = set(c.Keywords)
	if c.BornRead {
		m.Keywords = set(append(m.Keywords, parley.Seen))
	}
	switch {
	case len(without(c.Folders, ofLabels(c.Folders)...)) > 0:
		m.Folders = nil
	case c.Import && m.own:
		m.Folders, m.Keywords = []parley.FolderID{parley.Sent}, set(append(m.Keywords, parley.Seen))
	case th.Muted:
		m.Folders = []parley.FolderID{parley.Archive}
	default:
		m.Folders = []parley.FolderID{parley.Inbox}
	}
	to := append(m.Folders, c.Folders...)
	m.Folders = nil
	m.move(to)
}

// again is one more way by which a message came. What only repeats an import
// leaves no trace; mail to oneself is in Sent and Inbox, unread.
func (n *naive) again(m *note, c mailbox.DeliverMail) mailbox.Reply {
	r := mailbox.Reply{Messages: []parley.MessageID{m.ID}, Thread: m.Thread}
	to := set(append(slices.Clone(m.Folders), c.Folders...))
	switch {
	case c.Import && slices.Equal(to, m.Folders):
		return r
	case c.Import:
		m.move(to)
	case m.in(parley.Sent) && !m.in(parley.Inbox) && len(m.arrivals) < 2:
		m.move(append(slices.Clone(m.Folders), parley.Inbox))
		m.Keywords = without(m.Keywords, parley.Seen)
	}
	if len(m.arrivals) < 20 {
		m.arrivals = append(m.arrivals, c.Envelope)
	}
	n.stamp([]*note{m})
	return r
}

// tied are the threads that have heard of a name in a mail, but for those that a
// split keeps from an earlier one.
func (n *naive) tied(c mailbox.DeliverMail) (ids []parley.ThreadID) {
	for _, h := range c.Nodes {
		th := n.thread(n.heard[h])
		if th != nil && !slices.Contains(ids, th.ID) && !slices.ContainsFunc(ids, func(id parley.ThreadID) bool { return n.apart(id, th.ID) }) {
			ids = append(ids, th.ID)
		}
	}
	return ids
}

// signal is the strongest name of a message that is here, else of one that a
// thread has heard of.
func (n *naive) signal(c mailbox.DeliverMail) (parley.Signal, string) {
	for _, here := range []bool{true, false} {
		for i, h := range c.Nodes {
			th := n.thread(n.heard[h])
			if th != nil && slices.Contains(n.tied(c), th.ID) && (!here || i > 0 && n.named(h)) {
				return c.Signals[i], c.Evidence[i]
			}
		}
	}
	return parley.SignalNew, ""
}

// join makes one of all threads that a mail ties.
func (n *naive) join(c mailbox.DeliverMail, kept parley.ThreadID) parley.ThreadID {
	tied, most := n.tied(c), 0
	for _, id := range tied {
		most = max(most, len(n.of(id, false)))
	}
	if len(tied) == 0 {
		delete(n.merged, c.NewThread)
		n.threads[c.NewThread] = &talk{Thread: parley.Thread{ID: c.NewThread, Kind: parley.KindMail}}
		return c.NewThread
	}
	if !slices.Contains(tied, kept) || len(n.of(kept, false)) < most {
		return "a thread that it does not belong to, or a smaller one"
	}
	for _, id := range tied {
		if id != kept {
			n.merge(id, kept)
		}
	}
	return kept
}

// merge moves all messages; to JMAP each is a new one.
func (n *naive) merge(from, into parley.ThreadID) {
	n.step()
	n.rejoin(from, into)
	for _, m := range n.of(from, false) {
		m.Thread, m.Generation, m.Revision = into, m.Generation+1, n.last
		for _, h := range m.refs {
			if th := n.thread(n.heard[h]); th == nil || th.ID == from || th.ID == into {
				n.heard[h] = into
			}
		}
	}
	for _, m := range n.draftsOf(from) {
		m.Thread, m.Revision = into, n.last
	}
	th := n.threads[into]
	th.Muted, th.Revision = th.Muted || n.threads[from].Muted, n.last
	th.Linked = set(slices.Concat(th.Linked, n.threads[from].Linked))
	n.merged[from] = into
	delete(n.threads, from)
}
