package thread

import "github.com/parley-im/parley"

func (t turn) leave(c Leave) (Decision, error) {
	p := t.byAccount[c.Who]
	if p == nil {
		return Decision{}, t.unknown()
	}
	// Also when the account is gone: the others have seen them leave, and what
	// their copy lacks is settled by its cursor (Came).
	if p.state() == parley.StateLeft {
		return t.fulfilled(p, p)
	}
	e := t.event(Left, p.now())
	e.Parts, e.Gone = t.without(p), c.Gone
	return t.decided(e)
}

// remove also marks who left already, so that they do not come back by themselves.
func (t turn) remove(c Remove) (Decision, error) {
	by := t.here(c.By)
	if by == nil {
		return Decision{}, t.unknown()
	}
	if err := t.matches(c.IfMatch); err != nil {
		return Decision{}, err
	}
	if by.ID == c.Part {
		return t.leave(Leave{Who: c.By})
	}
	if !by.moderates() {
		return Decision{}, t.refuse(parley.NotPermitted, "", "Only a moderator may remove others.")
	}
	p := t.byID[c.Part]
	if p == nil {
		return Decision{}, t.refuse(parley.NotFound, "participant", "There is no such participant.")
	}
	if p.Removed {
		return t.fulfilled(by, p)
	}
	e := t.event(Removed, by.now())
	e.Parts = t.without(p)
	return t.decided(e)
}

// without is who is touched when p is out: p, and the successor of the last moderator.
func (s *State) without(p *part) []parley.Participant {
	out := p.now()
	out.State, out.Role = parley.StateLeft, parley.RoleMember
	parts := []parley.Participant{out}
	if p.moderates() {
		if next := s.successor(p); next != nil {
			now := next.now()
			now.Role = parley.RoleModerator
			parts = append(parts, now)
		}
	}
	return parts
}

// successor is who is in for the longest time of the others, or nil when a
// moderator or nobody stays.
func (s *State) successor(p *part) *part {
	var next *part
	for _, q := range s.parts {
		switch {
		case q == p || !q.isIn():
		case q.moderates():
			return nil
		case next == nil || q.entered() < next.entered():
			next = q
		}
	}
	return next
}
