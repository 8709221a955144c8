package plays

import (
	"fmt"

	"github.com/parley-im/parley"
)

// join comes in by oneself: who left, or anybody where the room is open, but
// nobody who was removed.
func (p *play) join(c *client) {
	r := pick(p, p.rooms)
	if r == nil {
		return
	}
	p.about(c, r)
	s := r.seat(c.owner)
	rq := request{method: "POST", path: "/threads/" + string(r.id) + "/join", key: p.key()}
	a := p.send(c, rq)
	if s == nil && !r.open || s != nil && s.removed {
		p.wants(a, 200, notFound)
		return
	}
	p.wants(a, 200, done)
	got := into[threadShape](p, a)
	if s.in() {
		p.sameThread(c.owner.box, got)
		return
	}
	role := parley.RoleMember
	if !r.anybody() {
		role = parley.RoleModerator // a room has one who can let others in
	}
	p.happen(r, c.owner, func(e *event) { p.letIn(r, e, c.owner, role, p.seatID(got.Participants, c.owner)) })
	p.authored(c, a)
	if a.revision != 0 {
		p.sameThread(c.owner.box, got)
	}
	p.again(c, rq, a, nil)
}

// letIn makes the event of an entry, which tells the newcomer how the room is.
func (p *play) letIn(r *room, e *event, who *person, role parley.Role, id parley.PartID) {
	if s := r.seat(who); s != nil && s.ID != id {
		p.fail("%s comes back as %s, was %s", who.name, id, s.ID)
	}
	s := r.enter(e, who, role)
	s.ID = id
	e.touched[0].ID = id
	subject, open, history := r.subject, r.open, r.history
	e.notice, e.subject, e.open, e.history = parley.NoticeJoined, &subject, &open, &history
}

func (p *play) leave(c *client) {
	r := p.room(c)
	if r == nil {
		return
	}
	p.about(c, r)
	s := r.seat(c.owner)
	rq := request{method: "POST", path: "/threads/" + string(r.id) + "/leave", key: p.key()}
	a := p.send(c, rq)
	if s == nil {
		p.wants(a, 204, notFound)
		return
	}
	p.wants(a, 204, done)
	if s.in() {
		p.happen(r, c.owner, func(e *event) {
			e.notice = parley.NoticeLeft
			r.exit(e, s, false)
		})
		p.authored(c, a)
		p.again(c, rq, a, nil)
	}
}

// add lets somebody in; whom a moderator removed only a moderator lets in again.
func (p *play) add(c *client) {
	r := p.room(c)
	if r == nil {
		return
	}
	p.about(c, r)
	who, role := pick(p, p.people), parley.RoleMember
	if p.chance(15) {
		role = parley.RoleModerator
	}
	by, s := r.seat(c.owner), r.seat(who)
	rq := request{method: "POST", path: "/threads/" + string(r.id) + "/participants", body: object{"address": who.address, "role": role}, key: p.key()}
	a := p.send(c, rq)
	switch {
	case !by.in():
		p.wants(a, 201, notFound)
		return
	case !s.in() && !by.moderates() && (s != nil && s.removed || role == parley.RoleModerator):
		p.wants(a, 201, forbidden)
		return
	}
	p.wants(a, 201, done)
	got := into[seatShape](p, a)
	if s.in() {
		equal(p, "who is in already", got, s.seatShape)
		return
	}
	p.happen(r, c.owner, func(e *event) {
		e.actor = by
		p.letIn(r, e, who, role, got.ID)
	})
	equal(p, "who was added", got, r.seat(who).seatShape)
	p.authored(c, a)
	p.again(c, rq, a, nil)
}

// seatOf draws a participant, perhaps of another room.
func (p *play) seatOf(r *room) *seat {
	if p.chance(5) {
		r = pick(p, p.rooms)
	}
	return pick(p, r.seats)
}

// remove shows somebody out; of oneself it is leaving.
func (p *play) remove(c *client) {
	r := p.room(c)
	if r == nil {
		return
	}
	p.about(c, r)
	by, s := r.seat(c.owner), p.seatOf(r)
	rq := request{method: "DELETE", path: fmt.Sprintf("/threads/%s/participants/%s", r.id, s.ID), key: p.key()}
	a := p.send(c, rq)
	switch {
	case !by.in():
		p.wants(a, 204, notFound)
		return
	case by == s:
	case !by.moderates():
		p.wants(a, 204, forbidden)
		return
	case r.seatOf(s.ID) == nil:
		p.wants(a, 204, refusal{404, "not_found", "participant"})
		return
	}
	p.wants(a, 204, done)
	if s.removed {
		return
	}
	p.happen(r, c.owner, func(e *event) {
		e.actor, e.notice = by, parley.NoticeRemoved
		if by == s {
			e.notice = parley.NoticeLeft
		}
		r.exit(e, s, by != s)
	})
	p.authored(c, a)
	p.again(c, rq, a, nil)
}

// promote gives a role; a room keeps a moderator.
func (p *play) promote(c *client) {
	r := p.room(c)
	if r == nil {
		return
	}
	p.about(c, r)
	by, s, role := r.seat(c.owner), p.seatOf(r), parley.RoleMember
	if p.chance(60) {
		role = parley.RoleModerator
	}
	rq := request{method: "PATCH", path: fmt.Sprintf("/threads/%s/participants/%s", r.id, s.ID), body: object{"role": role}, key: p.key()}
	a := p.send(c, rq)
	want := done
	switch {
	case !by.in():
		want = notFound
	case !by.moderates():
		want = forbidden
	case r.seatOf(s.ID) == nil || !s.in():
		want = refusal{404, "not_found", "participant"}
	case role == parley.RoleMember && r.lastModerator(s):
		want = bad("role")
	}
	if p.wants(a, 200, want); want != done {
		return
	}
	same := s.Role == role
	s.Role = role
	equal(p, "whose role it is", into[seatShape](p, a), s.seatShape)
	if same {
		return
	}
	p.happen(r, c.owner, func(e *event) {
		e.notice, e.touched = parley.NoticeChanged, []seatShape{s.seatShape}
	})
	p.authored(c, a)
	p.again(c, rq, a, nil)
}

// alter changes subject, openness or history of a room, for all.
func (p *play) alter(c *client) {
	r := p.room(c)
	if r == nil {
		return
	}
	p.about(c, r)
	by, body, e := r.seat(c.owner), object{}, event{}
	if p.chance(50) {
		subject := p.word()
		body["subject"], e.subject = subject, &subject
	}
	if p.chance(40) {
		open := p.chance(50)
		if body["open"] = open; open != r.open {
			e.open = &open
		}
	}
	if history := [...]parley.History{parley.HistoryAll, parley.HistoryJoined}[p.rng.IntN(2)]; p.chance(40) || len(body) == 0 {
		if body["history"] = history; history != r.history {
			e.history = &history
		}
	}
	rq := request{method: "PATCH", path: "/threads/" + string(r.id), body: body, key: p.key()}
	a := p.send(c, rq)
	switch {
	case !by.in():
		p.wants(a, 200, notFound)
		return
	case !by.moderates():
		p.wants(a, 200, forbidden)
		return
	}
	p.wants(a, 200, done)
	if e.subject != nil || e.open != nil || e.history != nil {
		p.happen(r, c.owner, func(to *event) {
			to.notice, to.subject, to.open, to.history = parley.NoticeChanged, e.subject, e.open, e.history
			r.subject, r.open, r.history = or(e.subject, r.subject), or(e.open, r.open), or(e.history, r.history)
		})
		p.authored(c, a)
		p.again(c, rq, a, nil)
	}
	if len(c.owner.box.owed) == 0 {
		p.sameThread(c.owner.box, into[threadShape](p, a))
	}
}

func or[T any](v *T, otherwise T) T {
	if v != nil {
		return *v
	}
	return otherwise
}
