package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// move is messages that went from a thread to another, which was made for them, or
// swallowed the one that they came from.
type move struct {
	from, into           parley.ThreadID
	ids                  []parley.MessageID
	fromMuted, intoMuted bool // before
}

// mails are the mail threads.
func (b *box) mails() (out []*talk) {
	for _, id := range sorted(b.threads) {
		if t := b.threads[id]; t.Kind == parley.KindMail {
			out = append(out, t)
		}
	}
	return out
}

// between lists the cuts that keep two threads, and what they became, apart.
func (b *box) between(x, y *talk) (out [][2]parley.ThreadID) {
	for c := range b.cuts {
		if s, t := b.thread(c[0]), b.thread(c[1]); s == x && t == y || s == y && t == x {
			out = append(out, c)
		}
	}
	return out
}

// named reports whether some message has a Message-ID as its own.
func (b *box) named(name string) bool {
	return slices.ContainsFunc(b.notes, func(m *note) bool { return len(m.refs) > 0 && m.refs[0] == name })
}

// hear notes in which thread the names of a new message are. Across a split, one
// that nobody heard of goes with the nearest older one that somebody did.
func (b *box) hear(m *note) {
	side := m.Thread
	for i, name := range slices.Backward(m.refs) {
		t := b.thread(b.heard[name])
		switch {
		case i == 0 && (t == nil || !b.named(name)):
			b.heard[name] = m.Thread
		case t != nil:
			side = t.ID
		default:
			b.heard[name] = side
		}
	}
}

// splits is POST /threads/{thread}/split: messages, or all from one on.
type splits struct {
	messages []parley.MessageID
	from     parley.MessageID
}

// parts lists what a split moves, and what is said of it.
func (b *box) parts(t *talk, s splits) (ids []parley.MessageID, want refusal) {
	field := "messages"
	if s.from != "" {
		field = "from"
	}
	all := b.of(t.ID, false)
	for _, m := range all {
		if slices.Contains(s.messages, m.ID) || m.ID == s.from || s.from != "" && len(ids) > 0 {
			ids = append(ids, m.ID)
		}
	}
	switch {
	case len(ids) < len(s.messages), s.from != "" && len(ids) == 0:
		return nil, refusal{404, "not_found", field}
	case len(ids) == len(all):
		return nil, bad(field)
	}
	return ids, done
}

// part moves messages out of a thread into one that is new, or was. The two, and
// whatever the first is kept apart from, stay apart.
func (b *box) part(v move) {
	b.step()
	from, into := b.threads[v.from], &talk{threadShape: threadShape{ID: v.into, Kind: parley.KindMail, Muted: v.intoMuted}}
	cuts := []parley.ThreadID{v.from}
	for id, t := range b.threads {
		if len(b.between(t, from)) > 0 {
			cuts = append(cuts, id)
		}
	}
	delete(b.merged, v.into)
	b.threads[v.into] = into
	from.Muted, from.Revision, into.Revision = v.fromMuted, b.revision, b.revision
	for _, id := range cuts {
		b.cuts[[2]parley.ThreadID{id, v.into}] = true
	}
	for _, id := range v.ids {
		m := b.find(id)
		m.Thread, m.Revision = v.into, b.revision
	}
	delete(b.sorted, v.from)
	delete(b.sorted, v.into)
	b.hearParted(v)
	b.deeds = append(b.deeds, deed{split: &v})
}

// hearParted has the names of what left go along: their own, if all under it left,
// and those of nobody that follow one that did.
func (b *box) hearParted(v move) {
	for _, id := range v.ids {
		own := b.find(id).refs[0]
		if !slices.ContainsFunc(b.notes, func(m *note) bool { return len(m.refs) > 0 && m.refs[0] == own && m.Thread != v.into }) {
			b.heard[own] = v.into
		}
	}
	for _, id := range v.ids {
		m := b.find(id)
		for i, name := range m.refs {
			if older := slices.IndexFunc(m.refs[i:], b.named); older > 0 && b.thread(b.heard[m.refs[i+older]]) == b.threads[v.into] {
				b.heard[name] = v.into
			}
		}
	}
}

// swallow is a merge by hand.
func (b *box) swallow(from, into *talk) {
	v := move{from: from.ID, into: into.ID, fromMuted: from.Muted, intoMuted: into.Muted}
	for _, m := range b.of(from.ID, false) {
		v.ids = append(v.ids, m.ID)
	}
	b.merge(from, into.ID)
	b.deeds = append(b.deeds, deed{merged: &v})
}

// unsplit brings back what was split off, and what joined it since.
func (b *box) unsplit(v move) (got undoShape) {
	into, from := b.threads[v.into], b.threads[v.from]
	for _, id := range v.ids {
		if m := b.find(id); m != nil && into != nil && from != nil && m.Thread == into.ID {
			got.Undone++
		} else {
			got.Skipped++
		}
	}
	if got.Undone > 0 {
		b.swallow(into, from)
	}
	return got
}

// unmerge takes what came by a merge out again, to the thread that it was, unless
// that is there again or nothing would stay behind.
func (b *box) unmerge(v move) undoShape {
	into, back := b.thread(v.into), move{into: v.from, intoMuted: v.fromMuted}
	for _, id := range v.ids {
		if m := b.find(id); m != nil && into != nil && m.Thread == into.ID && into.ID != v.from {
			back.ids = append(back.ids, id)
		}
	}
	if len(back.ids) == 0 || len(back.ids) == len(b.of(into.ID, false)) || b.threads[v.from] != nil {
		return undoShape{Skipped: len(v.ids)}
	}
	back.from, back.fromMuted = into.ID, into.Muted && v.intoMuted
	b.part(back)
	return undoShape{Undone: len(back.ids), Skipped: len(v.ids) - len(back.ids)}
}
