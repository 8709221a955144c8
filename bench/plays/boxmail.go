package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// letter is a mail from outside.
type letter struct {
	id      string // Message-ID, without brackets
	refs    []string
	from    string // header and envelope
	sender  string // envelope, when it comes another way
	to      []*person
	subject string
	text    string
}

func (l letter) raw() string {
	out := "From: <" + l.from + ">\r\nTo: "
	for i, who := range l.to {
		if i > 0 {
			out += ", "
		}
		out += "<" + who.address + ">"
	}
	out += "\r\nSubject: " + l.subject + "\r\nMessage-ID: <" + l.id + ">\r\n"
	if len(l.refs) > 0 {
		out += "References:"
		for _, r := range l.refs {
			out += " <" + r + ">"
		}
		out += "\r\n"
	}
	return out + "\r\n" + l.text + "\r\n"
}

// door is what the door remembers a mail by.
func (l letter) door() string { return l.sender + " " + l.id }

// same finds the message that a mail is once more: the same Message-ID, author and text.
func (b *box) same(l letter) *note {
	for _, m := range b.notes {
		if len(m.refs) > 0 && m.refs[0] == l.id && m.raw == l.raw() {
			return m
		}
	}
	return nil
}

// names are those of a mail in the order of their weight: its own, then its
// references, the last first.
func (l letter) names() []string {
	out := append(slices.Clone(l.refs), l.id)
	slices.Reverse(out)
	return out
}

// tied are the threads that a mail belongs to: those in which one of its names was
// heard last, but for those that a split keeps from an earlier one.
func (b *box) tied(l letter) (out []*talk) {
	for _, name := range l.names() {
		t := b.thread(b.heard[name])
		if t != nil && !slices.Contains(out, t) && !slices.ContainsFunc(out, func(o *talk) bool { return len(b.between(o, t)) > 0 }) {
			out = append(out, t)
		}
	}
	return out
}

// arrive files a mail in the thread kept; made says under which ids the product
// made it. What the door has had leaves no trace; the same once more is one
// message with several arrivals.
func (b *box) arrive(l letter, kept parley.ThreadID, made parley.MessageID) {
	if b.doors[l.door()] {
		return
	}
	b.doors[l.door()] = true
	if m := b.same(l); m != nil {
		if m.in(parley.Sent) && !m.in(parley.Inbox) && m.arrivals < 2 { // what one sent oneself is in both, unread
			m.move(append(slices.Clone(m.Folders), parley.Inbox))
			m.Keywords = without(m.Keywords, parley.Seen)
		}
		if m.arrivals < 20 {
			m.arrivals++
		}
		b.stamp([]*note{m})
		b.counted()
		return
	}
	for _, t := range b.tied(l) {
		if t.ID != kept {
			b.merge(t, kept)
		}
	}
	t := b.threads[kept]
	if t == nil {
		t = &talk{threadShape: threadShape{ID: kept, Kind: parley.KindMail}}
		b.threads[kept] = t
		delete(b.merged, kept)
	}
	b.step()
	m := &note{order: b.clock.Now().UnixMicro(), refs: l.names(), arrivals: 1, raw: l.raw()}
	m.messageShape = messageShape{ID: made, Thread: kept, Kind: "message", Channel: parley.ChannelMail, Author: authorShape{Address: l.from},
		Subject: l.subject, Text: l.text, Excerpt: l.text, ReceivedAt: b.clock.Now(), Folders: []parley.FolderID{parley.Inbox},
		Size: int64(len(m.raw)), MessageID: l.id, Revision: b.revision}
	if t.Muted {
		m.Folders = []parley.FolderID{parley.Archive}
	}
	t.Revision = b.revision
	b.hear(m)
	b.heardFrom(l.from)
	b.notes = append(b.notes, m)
	delete(b.sorted, kept)
	b.counted()
}

// merge moves all messages into another thread: an action of its own.
func (b *box) merge(from *talk, into parley.ThreadID) {
	b.step()
	to := b.threads[into]
	for _, c := range b.between(from, to) {
		delete(b.cuts, c)
	}
	for _, m := range b.of(from.ID, false) {
		m.Thread, m.Revision = into, b.revision
		for _, name := range m.refs {
			if t := b.thread(b.heard[name]); t == nil || t == from || t == to { // what a split keeps apart stays
				b.heard[name] = into
			}
		}
	}
	for _, s := range b.slips(from.ID) {
		s.Thread, s.Revision = into, b.revision
	}
	delete(b.sorted, from.ID)
	delete(b.sorted, into)
	to.Muted, to.Revision = to.Muted || from.Muted, b.revision
	to.Linked = set(slices.Concat(to.Linked, from.Linked))
	b.merged[from.ID] = into
	delete(b.threads, from.ID)
}
