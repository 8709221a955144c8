package mailbox_test

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// cut keeps two threads, and what they become, from one another.
func (n *naive) cut(a, b parley.ThreadID) { n.cuts[[2]parley.ThreadID{a, b}] = true }

// between lists the cuts that keep two threads from one another.
func (n *naive) between(a, b parley.ThreadID) (out [][2]parley.ThreadID) {
	for c := range n.cuts {
		x, y := n.thread(c[0]), n.thread(c[1])
		if x != nil && y != nil && (x.ID == a && y.ID == b || x.ID == b && y.ID == a) {
			out = append(out, c)
		}
	}
	return out
}

func (n *naive) apart(a, b parley.ThreadID) bool { return len(n.between(a, b)) > 0 }

// rejoin forgets what kept two threads from one another.
func (n *naive) rejoin(a, b parley.ThreadID) {
	for _, c := range n.between(a, b) {
		delete(n.cuts, c)
	}
}

// named reports whether some message carries a Message-ID as its own.
func (n *naive) named(h mailbox.Hash) bool {
	return slices.ContainsFunc(n.messages, func(m *note) bool { return len(m.refs) > 0 && m.refs[0] == h })
}

// hear notes in which thread a message names others. A name that nobody heard of
// goes with the nearest older one that somebody did.
func (n *naive) hear(m *note) {
	side := m.Thread
	for i, h := range slices.Backward(m.refs) {
		th := n.thread(n.heard[h])
		switch {
		case i == 0 && !n.named(h):
			n.heard[h] = m.Thread
		case th != nil:
			side = th.ID
			n.heard[h] = side
		case i == 0:
			n.heard[h] = m.Thread
		default:
			n.heard[h] = side
		}
	}
}

// mailTalk is a thread that can be split and merged.
func (n *naive) mailTalk(id parley.ThreadID) (*talk, error) {
	th := n.thread(id)
	switch {
	case th == nil:
		return nil, parley.E(parley.NotFound, "", "")
	case th.Kind != parley.KindMail, len(n.of(th.ID, false)) == 0:
		return nil, parley.E(parley.BadRequest, "", "")
	}
	return th, nil
}

func (n *naive) split(c mailbox.SplitThread) (mailbox.Reply, error) {
	th, err := n.mailTalk(c.Thread)
	switch {
	case err != nil:
		return mailbox.Reply{}, err
	case c.IfMatch != 0 && th.Revision != c.IfMatch:
		return mailbox.Reply{}, parley.E(parley.Stale, "", "")
	case n.threads[c.NewThread] != nil || n.merged[c.NewThread] != "":
		return mailbox.Reply{}, parley.E(parley.Conflict, "", "")
	}
	var ids []parley.MessageID
	all := n.of(th.ID, false)
	for _, m := range all {
		if slices.Contains(c.Messages, m.ID) || m.ID == c.From || c.From != "" && slices.Contains(ids, c.From) {
			ids = append(ids, m.ID)
		}
	}
	for _, id := range append(slices.Clone(c.Messages), c.From) {
		if id != "" && !slices.Contains(ids, id) {
			return mailbox.Reply{}, parley.E(parley.NotFound, "", "")
		}
	}
	if len(ids) == 0 || len(ids) == len(all) {
		return mailbox.Reply{}, parley.E(parley.BadRequest, "", "")
	}
	n.part(move{from: th.ID, into: c.NewThread, ids: ids, intoMuted: th.Muted, fromMuted: th.Muted})
	return mailbox.Reply{Thread: c.NewThread}, nil
}

// part moves messages out of a thread into one that is new, or was.
func (n *naive) part(v move) {
	n.step()
	from, into := n.threads[v.from], &talk{Thread: parley.Thread{ID: v.into, Kind: parley.KindMail, Muted: v.intoMuted}}
	var others []parley.ThreadID
	for id := range n.threads {
		if n.apart(id, v.from) {
			others = append(others, id)
		}
	}
	delete(n.merged, v.into)
	n.threads[v.into] = into
	from.Muted, from.Revision, into.Revision = v.fromMuted, n.last, n.last
	for _, id := range append(others, v.from) {
		n.cut(id, v.into)
	}
	for _, id := range v.ids {
		m := n.find(id)
		m.Thread, m.Generation, m.Revision = v.into, m.Generation+1, n.last
	}
	n.hearParted(v)
	n.acts = append(n.acts, act{split: &v})
}

// hearParted has the names of what left go along: their own, if all under it
// left, and those of nobody that stand in front of one that did.
func (n *naive) hearParted(v move) {
	stayed := func(h mailbox.Hash) bool {
		return slices.ContainsFunc(n.messages, func(m *note) bool { return len(m.refs) > 0 && m.refs[0] == h && m.Thread != v.into })
	}
	for _, id := range v.ids {
		if m := n.find(id); len(m.refs) > 0 && !stayed(m.refs[0]) {
			n.heard[m.refs[0]] = v.into
		}
	}
	for _, id := range v.ids {
		m := n.find(id)
		for i, h := range m.refs {
			older := slices.IndexFunc(m.refs[i:], n.named)
			if older > 0 && n.thread(n.heard[m.refs[i+older]]) == n.threads[v.into] {
				n.heard[h] = v.into
			}
		}
	}
}

func (n *naive) mergeByHand(c mailbox.MergeThreads) (mailbox.Reply, error) {
	th, err := n.mailTalk(c.Thread)
	if err != nil {
		return mailbox.Reply{}, err
	}
	with, err := n.mailTalk(c.With)
	switch {
	case err != nil:
		return mailbox.Reply{}, err
	case c.IfMatch != 0 && c.IfMatch != th.Revision:
		return mailbox.Reply{}, parley.E(parley.Stale, "", "")
	case th == with:
		return mailbox.Reply{Thread: th.ID}, nil
	case len(n.of(with.ID, false)) > len(n.of(th.ID, false)):
		th, with = with, th
	}
	n.swallow(with, th)
	return mailbox.Reply{Thread: th.ID}, nil
}

func (n *naive) swallow(from, into *talk) {
	v := move{from: from.ID, into: into.ID, fromMuted: from.Muted, intoMuted: into.Muted}
	for _, m := range n.of(from.ID, false) {
		v.ids = append(v.ids, m.ID)
	}
	n.merge(from.ID, into.ID)
	n.acts = append(n.acts, act{merged: &v})
}

// unsplit brings back what was split off, and what joined it since.
func (n *naive) unsplit(v move) (got mailbox.Undone) {
	into, from := n.threads[v.into], n.threads[v.from]
	for _, id := range v.ids {
		if m := n.find(id); m != nil && into != nil && from != nil && from != into && m.Thread == into.ID {
			got.Undone++
		} else {
			got.Skipped++
		}
	}
	if got.Undone > 0 {
		n.swallow(into, from)
	}
	return got
}

// unmerge takes what came by a merge out again, to the thread that it was.
func (n *naive) unmerge(v move) (got mailbox.Undone) {
	into := n.thread(v.into)
	back := move{into: v.from, intoMuted: v.fromMuted}
	for _, id := range v.ids {
		if m := n.find(id); m != nil && into != nil && m.Thread == into.ID && into.ID != v.from {
			back.ids = append(back.ids, id)
		}
	}
	if len(back.ids) == 0 || len(back.ids) == len(n.of(into.ID, false)) || n.threads[v.from] != nil {
		return mailbox.Undone{Skipped: int64(len(v.ids))}
	}
	back.from, back.fromMuted = into.ID, into.Muted && v.intoMuted
	n.part(back)
	return mailbox.Undone{Undone: int64(len(back.ids)), Skipped: int64(len(v.ids) - len(back.ids))}
}
