package plays

import (
	"slices"

	"github.com/parley-im/parley"
)

// closeAccount closes one late in a play: its tokens end, and each room records
// that it left at the room's next event, which somebody who is in makes at once.
func (p *play) closeAccount(c *client) {
	if p.steps < 1000 || len(p.people) < 4 {
		return
	}
	for _, who := range p.people {
		p.settle(who)
	}
	p.wants(p.send(c, request{method: "DELETE", path: "/accounts/me"}), 204, done)
	gone := c.owner
	gone.closed = true
	p.people = slices.DeleteFunc(p.people, func(who *person) bool { return who == gone })
	for _, k := range gone.clients {
		p.wants(p.send(k, request{method: "GET", path: "/mailbox"}), 200, refusal{401, "unauthenticated", ""})
	}
	for _, r := range slices.Clone(p.rooms) {
		if s := r.seat(gone); s.in() {
			p.farewell(r, s)
		}
	}
}

// farewell is said in a room by somebody who is in. Where nobody is, nobody can
// tell when the room notices, and the play leaves it alone.
func (p *play) farewell(r *room, s *seat) {
	i := slices.IndexFunc(r.seats, func(q *seat) bool { return q != s && q.in() })
	if i < 0 {
		p.rooms = slices.DeleteFunc(p.rooms, func(q *room) bool { return q == r })
		return
	}
	c := r.seats[i].who.clients[0]
	text := p.word()
	a := p.send(c, request{method: "POST", path: "/threads/" + string(r.id) + "/messages", body: object{"text": text}, key: p.key()})
	p.wants(a, 201, done)
	got := into[messageShape](p, a)
	p.happen(r, c.owner, func(e *event) {
		e.text, e.message, e.stamped = text, got.ID, r.history == parley.HistoryAll
	})
	p.authored(c, a)
	p.happen(r, s.who, func(e *event) {
		e.notice = parley.NoticeLeft
		r.exit(e, s, false)
	})
	for _, who := range p.people {
		p.settle(who)
	}
	p.wants(p.send(c, request{method: "POST", path: "/threads/" + string(r.id) + "/participants", body: object{"account": s.Account}, key: p.key()}),
		201, refusal{422, "bad_address", "to"})
}
