package plays

import (
	"github.com/parley-im/parley"
)

// drawChange draws what PATCH may say of a message or of a thread's messages.
func (p *play) drawChange(b *box) (c change) {
	flag := func() *bool { v := p.chance(50); return &v }
	own := sorted(b.folders)
	folder := func() parley.FolderID {
		if f := pick(p, without(own, labels(own)...)); f != "" && p.chance(30) {
			return f
		}
		return [...]parley.FolderID{parley.Inbox, parley.Inbox, parley.Archive, parley.Other, parley.Spam, parley.Trash, parley.Sent}[p.rng.IntN(7)]
	}
	switch p.rng.IntN(6) {
	case 0, 1, 2:
		c.seen = flag()
	case 3:
		c.flagged = flag()
	case 4:
		c.folders = []parley.FolderID{folder()}
		if f := folder(); f != c.folders[0] {
			c.folders = append(c.folders, f)
		}
	default:
		if c.add = []parley.FolderID{folder()}; p.chance(50) {
			c.remove = []parley.FolderID{folder()}
		}
		if l := pick(p, labels(own)); l != "" {
			c.add = append(c.add, l)
		}
		if l := pick(p, labels(own)); l != "" && p.chance(50) {
			c.remove = append(c.remove, l)
		}
	}
	return c
}

// key and precondition of a change: either, both or none.
func (p *play) terms(rq *request, revision parley.Revision) (keyed bool, want refusal) {
	if p.chance(50) {
		rq.key = p.key()
	}
	if p.chance(25) {
		rq.match = tag(revision)
		if p.chance(30) {
			rq.match = tag(revision + 1)
			want = stale
		}
	}
	return rq.key != "" || rq.match != "", want
}

func (p *play) changeMessage(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	m := p.message(b)
	if m == nil {
		return
	}
	ch := p.drawChange(b)
	rq := request{method: "PATCH", path: "/messages/" + string(m.ID), body: ch.body("seen")}
	if mine := b.find(m.ID); mine != nil {
		m = mine
	}
	keyed, want := p.terms(&rq, m.Revision)
	if b.find(m.ID) == nil {
		want = notFound
	}
	a := p.send(c, rq)
	if p.wants(a, 200, want); want != done {
		return
	}
	b.owned(keyed, func() { b.patchMessage(m, ch) })
	p.at(b, a)
	p.sameMessage(b, m, into[messageShape](p, a))
	p.again(c, rq, a, func() refusal {
		if b.find(m.ID) == nil {
			return gone
		}
		return done
	})
}

// message draws one of the copy, now and then one of somebody else's.
func (p *play) message(b *box) *note {
	if p.chance(2) {
		b = pick(p, p.people).box
	}
	for range 3 {
		if m := pick(p, b.notes); m != nil && m.Kind == "message" {
			return m
		}
	}
	return nil
}

// talk draws a thread of the copy, rather one with something in it.
func (p *play) talk(b *box) *talk {
	if s := pick(p, b.drafts); s != nil && p.chance(4) {
		return b.threads[s.Thread]
	}
	if m := pick(p, b.notes); m != nil {
		return b.threads[m.Thread]
	}
	return nil
}

// at holds an answer to the revision that the world has.
func (p *play) at(b *box, a answer) {
	if a.revision != b.revision {
		p.fail("the answer is of revision %d, want %d", a.revision, b.revision)
	}
}

func (p *play) changeThread(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	t := p.talk(b)
	if t == nil {
		return
	}
	ch := p.drawChange(b)
	yes := p.chance(60)
	switch p.rng.IntN(4) {
	case 0:
		ch = change{archived: &yes}
	case 1:
		ch = change{muted: &yes}
	case 2:
		ch = change{seen: &yes}
	}
	rq := request{method: "PATCH", path: "/threads/" + string(t.ID), body: ch.body("read")}
	_, want := p.terms(&rq, t.Revision)
	a := p.send(c, rq)
	if p.wants(a, 200, want); want != done {
		return
	}
	b.owned(true, func() { b.patchThread(t, ch) }) // it may become a job, and so has a name
	p.at(b, a)
	p.sameThread(b, into[threadShape](p, a))
	p.again(c, rq, a, threadGone(b, t.ID))
}

// threadGone says what a repeat finds of a thread that may be gone for good.
func threadGone(b *box, id parley.ThreadID) func() refusal {
	return func() refusal {
		if b.thread(id) == nil {
			return gone
		}
		return done
	}
}

func (p *play) deleteMessage(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	m := p.message(b)
	if m == nil {
		return
	}
	rq := request{method: "DELETE", path: "/messages/" + string(m.ID)}
	if mine := b.find(m.ID); mine != nil {
		m = mine
	}
	_, want := p.terms(&rq, m.Revision)
	if b.find(m.ID) == nil {
		want = notFound
	}
	a := p.send(c, rq)
	if p.wants(a, 204, want); want != done {
		return
	}
	b.owned(true, func() { b.deleteMessage(m) })
	p.at(b, a)
	p.again(c, rq, a, nil)
}

func (p *play) deleteThread(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	t := p.talk(b)
	if t == nil {
		return
	}
	rq := request{method: "DELETE", path: "/threads/" + string(t.ID)}
	_, want := p.terms(&rq, t.Revision)
	a := p.send(c, rq)
	if p.wants(a, 204, want); want != done {
		return
	}
	b.owned(true, func() { b.deleteThread(t) })
	p.at(b, a)
	p.again(c, rq, a, nil)
}

func (p *play) restoreThread(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	t := p.talk(b)
	if t == nil {
		return
	}
	rq := request{method: "POST", path: "/threads/" + string(t.ID) + "/restore", key: p.key()}
	a := p.send(c, rq)
	p.wants(a, 200, done)
	b.owned(true, func() { b.restore(t) })
	p.at(b, a)
	p.sameThread(b, into[threadShape](p, a))
	p.again(c, rq, a, threadGone(b, t.ID))
}
