package plays

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/parley-im/parley"
)

// sendDraft sends one. Whoever did not know of somebody that came in is told, and
// sends it again, knowing.
func (p *play) sendDraft(c *client) {
	b := c.owner.box
	s := pick(p, b.drafts)
	if s == nil {
		return
	}
	r := p.roomOf(s)
	p.about(c, r)
	rq := request{method: "POST", path: "/drafts/" + string(s.ID) + "/send"}
	_, want := p.terms(&rq, s.Revision)
	rq.key = p.key()
	if want == done {
		want = p.sendable(b, s)
	}
	if want != done {
		p.wants(p.send(c, rq), 201, want)
		return
	}
	want = p.goes(b, r, s)
	a := p.send(c, rq)
	p.wants(a, 201, want)
	b.leaves(s)
	if want != done {
		b.leaves(s)
	}
	switch {
	case want == changed:
		p.learns(c, r, s, a)
	case want == done:
		p.sent(c, r, s, rq, a)
	}
}

// roomOf is the room that a draft is for, if there is one.
func (p *play) roomOf(s *slip) *room {
	for _, r := range p.rooms {
		if !s.NewThread && r.id == s.Thread {
			return r
		}
	}
	return nil
}

// sendable is what the author's own copy says of a draft.
func (p *play) sendable(b *box, s *slip) refusal {
	no := func(code, field string) refusal { return refusal{422, code, field} }
	switch {
	case s.NewThread && s.Kind == parley.KindMail:
		return no("bad_address", "kind")
	case s.NewThread && len(s.To) == 0:
		return no("bad_address", "to")
	case !s.NewThread && b.threads[s.Thread].Kind != parley.KindRoom:
		return no("bad_address", "thread")
	case s.Text == "" && len(s.files) == 0:
		return no("bad_content", "text")
	}
	return done
}

// goes is what is said of a draft once it is on its way.
func (p *play) goes(b *box, r *room, s *slip) refusal {
	if r == nil {
		if slices.ContainsFunc(s.To, func(o object) bool { return o["account"] == nil }) {
			return refusal{422, "bad_address", "to"}
		}
		return done
	}
	me := r.seat(b.owner)
	switch m := b.find(s.ReplyTo); {
	case s.ReplyTo != "" && (m == nil || m.Thread != r.id):
		return refusal{422, "bad_content", "reply_to"}
	case !me.in():
		return notFound
	case slices.ContainsFunc(s.Mentions, func(id parley.PartID) bool { return !r.seatOf(id).in() }):
		return bad("mentions")
	case s.RosterVersion > 0 && len(r.since(s.RosterVersion, me)) > 0:
		return changed
	}
	return done
}

// since lists who, but one, came in after an event.
func (r *room) since(seen parley.Seq, but *seat) (out []*seat) {
	for _, q := range r.seats {
		if q != but && q.in() && q.entered > seen {
			out = append(out, q)
		}
	}
	return out
}

// learns holds the difference to who came in. With its version the author knows.
func (p *play) learns(c *client, r *room, s *slip, a answer) {
	var problem struct {
		Participants  []seatShape `json:"participants"`
		RosterVersion parley.Seq  `json:"roster_version"`
	}
	if err := json.Unmarshal(a.body, &problem); err != nil {
		p.fail("%v in %s", err, a.body)
	}
	var got, want []parley.PartID
	for _, q := range problem.Participants {
		got = append(got, q.ID)
	}
	for _, q := range r.since(s.RosterVersion, r.seat(c.owner)) {
		want = append(want, q.ID)
	}
	equal(p, "who came in", set(got), set(want))
	rq := request{method: "PATCH", path: "/drafts/" + string(s.ID), body: object{"roster_version": problem.RosterVersion}, match: tag(s.Revision)}
	a = p.send(c, rq)
	p.wants(a, 200, done)
	b := c.owner.box
	s.RosterVersion = problem.RosterVersion
	b.wrote(s)
	p.at(b, a)
	equal(p, "a draft that knows", into[draftShape](p, a), b.shape(s))
	if p.chance(60) {
		rq = request{method: "POST", path: "/drafts/" + string(s.ID) + "/send", key: p.key()}
		a = p.send(c, rq)
		p.wants(a, 201, done)
		b.leaves(s)
		p.sent(c, r, s, rq, a)
	}
}

// sent is a draft that became a post, in its room or in one that was made for it.
func (p *play) sent(c *client, r *room, s *slip, rq request, a answer) {
	b, got := c.owner.box, into[messageShape](p, a)
	if got.ID != s.ID || got.Thread != s.Thread {
		p.fail("%s in %s was sent, and the message is %s in %s", s.ID, s.Thread, got.ID, got.Thread)
	}
	if r == nil {
		r = p.roomMade(c, s)
	}
	p.happen(r, c.owner, func(e *event) {
		e.text, e.files, e.replyTo, e.mentions = s.Text, s.files, s.ReplyTo, s.Mentions
		e.message, e.stamped = s.ID, r.history == parley.HistoryAll
	})
	p.authored(c, a)
	if a.revision != 0 {
		p.sameMessage(b, b.find(s.ID), got)
	}
	p.again(c, rq, a, func() refusal {
		if len(b.owed) == 0 && b.find(s.ID) == nil {
			return gone
		}
		return done
	})
	if p.chance(30) { // another key is another send
		p.settle(c.owner)
		sent := refusal{409, "already_sent", ""}
		if b.find(s.ID) == nil {
			sent = notFound
		}
		p.wants(p.send(c, request{method: "POST", path: rq.path, key: p.key()}), 201, sent)
	}
}

// roomMade is the room that a draft made: its author and whom it was to.
func (p *play) roomMade(c *client, s *slip) *room {
	r := &room{id: s.Thread, subject: s.Subject, history: parley.HistoryJoined}
	a := p.come(c, fmt.Sprintf("/threads/%s/participants?at_least=%d", r.id, c.owner.box.revision+2)) // its beginning and the post
	p.wants(a, 200, done)
	return p.founded(r, c.owner, p.named(s.To), into[rosterShape](p, a).Data, nil)
}

// named are the people whom recipients name.
func (p *play) named(to []object) (out []*person) {
	for _, o := range to {
		for _, who := range p.people {
			if o["account"] == who.id {
				out = append(out, who)
			}
		}
	}
	return out
}
