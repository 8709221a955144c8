package mailbox

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/parley-im/parley"
)

// change sets folders and keywords of messages.
func (t *tx) change(c *Changed) {
	i := -1
	for _, g := range c.Groups {
		th := t.editThread(g.Thread)
		th.Revision = t.n
		for _, id := range g.Messages {
			i++
			if m := t.editMessage(id); m != nil && m.Notice == "" {
				th.count(m, -1)
				c.alter(i, m)
				m.Revision = t.n
				th.count(m, +1)
			}
		}
	}
}

// alter is what the action does to its message number i.
func (c *Changed) alter(i int, m *Message) {
	if c.Back.Kinds == nil {
		c.set(m)
		return
	}
	m.put(c.Back.at(i))
}

// set is what the action does to one message, where it does the same to all.
func (c *Changed) set(m *Message) {
	for _, k := range c.Clear {
		m.Keywords = slices.DeleteFunc(m.Keywords, func(h parley.Keyword) bool { return h == k })
	}
	for _, k := range c.Set {
		m.Keywords = insert(m.Keywords, k)
	}
	m.move(c.places(m))
}

// move puts the message into these folders, and remembers where it was before Trash.
func (m *Message) move(to []parley.FolderID) {
	to = settled(to)
	switch {
	case !slices.Contains(to, parley.Trash):
		m.Before = nil
	case !m.in(parley.Trash):
		m.Before = m.Folders
	}
	m.Folders = to
}

// insert keeps a small set sorted.
func insert[T ~string](set []T, v T) []T {
	if i, ok := slices.BinarySearch(set, v); !ok {
		return slices.Insert(slices.Clone(set), i, v)
	}
	return set
}

// sorted makes a set of a list.
func sorted[T ~string](list []T) []T {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *tx) setThread(s *ThreadSet) {
	th := t.editThread(s.Thread)
	th.Revision = t.n
	if s.Muted != nil {
		th.Muted = *s.Muted
	}
	if s.Hidden != nil {
		th.Hidden = *s.Hidden
	}
}

// merge moves messages of one mail thread into another.
func (t *tx) merge(g *Merged) {
	from, into := t.editThread(g.From), t.editThread(g.Into)
	for _, id := range g.Messages {
		m := t.editMessage(id)
		if m == nil || m.Thread != g.From {
			continue
		}
		t.rethread(m, from, into)
		t.joinNodes(m, g.From, g.Into)
	}
	into.Revision, from.Revision = t.n, t.n
	for _, id := range from.Linked {
		if len(into.Linked) < maxLinked {
			into.Linked = insert(into.Linked, id)
		}
	}
	into.Apart = t.live(slices.Concat(into.Apart, from.Apart), from.ID, into.ID)
	if g.Last {
		t.followMerge(from, into)
		into.Muted = into.Muted || from.Muted
		t.put(threadKey(g.From), &Thread{ID: g.From, Into: g.Into, Kind: from.Kind, Revision: t.n})
	} else {
		t.retell(from)
	}
	t.retell(into)
}

// rethread moves a message to another thread.
func (t *tx) rethread(m *Message, from, into *Thread) {
	t.tree(messageTree(from.ID)).Delete(m.order())
	from.count(m, -1)
	// RFC 8621 section 3: what changes its thread is a new Email.
	m.Thread, m.Revision = into.ID, t.n
	m.Generation++
	t.tree(messageTree(into.ID)).Insert(m.order())
	into.count(m, +1)
}

// purge removes messages for good.
func (t *tx) purge(p *Purged) {
	for _, g := range p.Groups {
		th := t.editThread(g.Thread)
		th.Revision = t.n
		for _, id := range g.Messages {
			if m := t.message(id); m != nil {
				t.drop(th, m)
			}
		}
		switch {
		case th.Messages > 0:
			t.retell(th)
		case th.Kind == parley.KindRoom:
			th.Hidden = true
			t.retell(th)
		case th.Drafts > 0:
			t.retell(th)
		default:
			t.put(threadKey(th.ID), nil)
		}
	}
}

// drop takes one message out of everything but its thread's summary.
func (t *tx) drop(th *Thread, m *Message) {
	if m.Notice == "" {
		t.tree(messageTree(th.ID)).Delete(m.order())
		th.count(m, -1)
		t.weigh(m, -1)
	} else {
		t.tree(noticeTree(th.ID)).Delete(m.order())
	}
	for _, at := range m.Attachments {
		t.release(at.Blob, m.ID)
	}
	t.forgetNode(m)
	t.put(messageKey(m.ID), nil)
}

// retell computes a thread's summary anew from messages that it has, in the order
// in which they were filed, as show would have met them.
func (t *tx) retell(th *Thread) {
	th.First, th.Newest, th.Last, th.Excerpt, th.LastAuthor = nil, nil, "", "", parley.Author{}
	if th.Kind == parley.KindMail {
		th.Subject, th.Authors, th.People = "", nil, nil
	}
	ms := t.telling(th)
	slices.SortFunc(ms, func(a, b *Message) int { return cmp.Compare(a.Filed, b.Filed) })
	for _, m := range ms {
		th.show(m)
	}
	if len(ms) > 0 || th.Kind == parley.KindMail {
		t.retellDrafts(th)
		return
	}
	if th.SplitAt != 0 {
		th.LastAt = th.SplitAt
	}
	for _, key := range t.tree(noticeTree(th.ID)).Descend(nil, false, 1) {
		if m := t.message(messageIDOf(key)); m != nil {
			th.LastAt = m.Received
		}
	}
}

// telling are the messages that a thread's summary is told from: of a room the
// last; of a mail thread, which also shows subject, authors and people, the last
// and as many of the oldest as one action may touch.
func (t *tx) telling(th *Thread) (ms []*Message) {
	tr := t.tree(messageTree(th.ID))
	keys := tr.Descend(nil, false, 1)
	if th.Kind == parley.KindMail {
		keys = slices.CompactFunc(append(tr.Ascend(nil, false, MaxTouched), keys...), bytes.Equal)
	}
	for _, key := range keys {
		if m := t.message(messageIDOf(key)); m != nil {
			ms = append(ms, m)
		}
	}
	return ms
}

// messageIDs lists a thread's messages in order, above after; limit 0 means all.
func (t *tx) messageIDs(id parley.ThreadID, after []byte, limit int) []parley.MessageID {
	tr := t.tree(messageTree(id))
	if limit == 0 {
		limit = tr.Len()
	}
	var out []parley.MessageID
	for _, key := range tr.Ascend(after, false, limit) {
		out = append(out, messageIDOf(key))
	}
	return out
}

// messageIDOf reads the id at the end of a message's order key.
func messageIDOf(key []byte) parley.MessageID {
	return parley.MessageID(parley.FormatID(parley.MessagePrefix, [16]byte(key[len(key)-16:])))
}

func threadIDOf(key []byte) parley.ThreadID {
	return parley.ThreadID(parley.FormatID(parley.ThreadPrefix, [16]byte(key[len(key)-16:])))
}
