package plays

import (
	"github.com/parley-im/parley"
)

// mailTalk draws a mail thread, rather one with several messages, now and then
// another thread.
func (p *play) mailTalk(b *box) (t *talk) {
	if p.chance(5) {
		return p.talk(b)
	}
	for range 3 {
		t = pick(p, b.mails())
		if t == nil || len(b.of(t.ID, false)) > 1 {
			break
		}
	}
	return t
}

// noMail is what is said where a thread cannot be split or merged.
func (b *box) noMail(t *talk, field string) refusal {
	switch {
	case t == nil:
		return refusal{404, "not_found", field}
	case t.Kind != parley.KindMail, len(b.of(t.ID, false)) == 0:
		return bad(field)
	}
	return done
}

// split moves messages of a mail thread to a new one.
func (p *play) split(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	t := p.mailTalk(b)
	if t == nil || t.Kind == parley.KindRoom { // of a room it is one for all, which the model does not play
		return
	}
	var s splits
	body := object{}
	for _, m := range b.of(t.ID, false) {
		if p.chance(40) {
			s.messages = append(s.messages, m.ID)
		}
	}
	if m := pick(p, b.of(t.ID, false)); p.chance(40) && m != nil {
		s = splits{from: m.ID}
	}
	if len(s.messages) == 0 && s.from == "" || p.chance(3) {
		s = splits{messages: append(s.messages, p.nobodys())}
	}
	if body["messages"] = s.messages; s.from != "" {
		body = object{"from": s.from}
	}
	rq := request{method: "POST", path: "/threads/" + string(t.ID) + "/split", body: body}
	_, want := p.terms(&rq, t.Revision)
	rq.key = p.key()
	ids, cannot := b.parts(t, s)
	if want == done {
		want = cannot
	}
	if no := b.noMail(t, ""); no != done {
		want = no
	}
	a := p.send(c, rq)
	if p.wants(a, 201, want); want != done {
		return
	}
	got := into[threadShape](p, a)
	if b.threads[got.ID] != nil || b.merged[got.ID] != "" {
		p.fail("%s is no new thread", got.ID)
	}
	b.owned(true, func() {
		b.part(move{from: t.ID, into: got.ID, ids: ids, fromMuted: t.Muted, intoMuted: t.Muted})
	})
	p.at(b, a)
	p.sameThread(b, got)
	p.again(c, rq, a, threadGone(b, got.ID))
}

// merge makes one of two mail threads: the larger keeps its id.
func (p *play) merge(c *client) {
	p.settle(c.owner)
	b := c.owner.box
	t, with := p.mailTalk(b), p.mailTalk(b)
	if t == nil || with == nil {
		return
	}
	rq := request{method: "POST", path: "/threads/" + string(t.ID) + "/merge", body: object{"thread": with.ID}}
	_, want := p.terms(&rq, t.Revision)
	rq.key = p.key()
	if no := b.noMail(with, "thread"); no != done {
		want = no
	}
	if no := b.noMail(t, ""); no != done {
		want = no
	}
	a := p.send(c, rq)
	if p.wants(a, 200, want); want != done {
		return
	}
	if len(b.of(with.ID, false)) > len(b.of(t.ID, false)) {
		t, with = with, t
	}
	b.owned(true, func() {
		if t != with {
			b.swallow(with, t)
		}
	})
	p.at(b, a)
	got := into[threadShape](p, a)
	if got.ID != t.ID {
		p.fail("%s keeps its id, want %s", got.ID, t.ID)
	}
	p.sameThread(b, got)
	p.again(c, rq, a, threadGone(b, t.ID))
}
