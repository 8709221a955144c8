package thread

import "github.com/parley-im/parley"

// alter changes what differs from how the room is; nothing differing is no event.
func (t turn) alter(c Alter) (Decision, error) {
	by := t.here(c.By)
	if by == nil {
		return Decision{}, t.unknown()
	}
	if !by.moderates() {
		return Decision{}, t.refuse(parley.NotPermitted, "", "Only a moderator may change the room.")
	}
	if c.Subject == nil && c.Open == nil && c.History == nil && c.Part == "" {
		return Decision{}, t.refuse(parley.BadRequest, "", "There is nothing to change.")
	}
	if err := t.checkSettings(c.Subject, c.History); err != nil {
		return Decision{}, err
	}
	if err := t.matches(c.IfMatch); err != nil {
		return Decision{}, err
	}
	about, parts, err := t.promote(c.Part, c.Role)
	if err != nil {
		return Decision{}, err
	}
	e := t.event(Changed, by.now())
	e.Parts = parts
	e.Subject = differing(c.Subject, t.room.Subject)
	e.Open = differing(c.Open, t.room.Open)
	e.History = differing(c.History, t.room.History)
	if e.Parts == nil && e.Subject == nil && e.Open == nil && e.History == nil {
		return t.fulfilled(by, about)
	}
	if err := t.checkTurns(); err != nil {
		return Decision{}, err
	}
	return t.decided(e)
}

// matches holds the participants to the version that a command is about.
func (t turn) matches(roster parley.Seq) error {
	if roster != 0 && roster != t.room.Roster {
		return t.refuse(parley.Stale, "", "The participants have changed since.")
	}
	return nil
}

// promote gives one participant a role; a room keeps a moderator. Without an id
// the change is about nobody.
func (t turn) promote(id parley.PartID, role parley.Role) (about *part, parts []parley.Participant, err error) {
	if id == "" {
		return nil, nil, nil
	}
	p := t.byID[id]
	if p == nil || !p.isIn() {
		return nil, nil, t.refuse(parley.NotFound, "participant", "There is no such participant.")
	}
	if role != parley.RoleModerator && role != parley.RoleMember {
		return nil, nil, t.refuse(parley.BadRequest, "role", "A role is moderator or member.")
	}
	if p.last().Role == role {
		return p, nil, nil
	}
	if role == parley.RoleMember && t.lastModerator(p) {
		return nil, nil, t.refuse(parley.BadRequest, "role", "A room keeps a moderator; name another one first.")
	}
	now := p.now()
	now.Role = role
	return p, []parley.Participant{now}, nil
}

func (s *State) lastModerator(p *part) bool {
	for _, q := range s.parts {
		if q != p && q.moderates() {
			return false
		}
	}
	return true
}

func differing[T comparable](want *T, have T) *T {
	if want == nil || *want == have {
		return nil
	}
	v := *want
	return &v
}
