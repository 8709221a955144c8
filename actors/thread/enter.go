package thread

import "github.com/parley-im/parley"

// join lets in who left, is invited, or finds the room open. To everybody else
// the room is not there, as it is to who was removed.
func (t turn) join(c Join) (Decision, error) {
	p := t.byAccount[c.Who.Account]
	switch {
	case t.room.Last == 0 || p == nil && !t.room.Open || p != nil && p.Removed:
		return Decision{}, t.unknown()
	case p != nil && p.isIn():
		return t.fulfilled(p, p)
	case p != nil && len(p.stays) >= MaxReturns:
		return Decision{}, t.refuse(parley.NotPermitted, "", "You came back too often; ask to be added.")
	}
	c.Who.Role, c.Who.State = parley.RoleMember, parley.StateIn
	if p != nil && p.state() == parley.StateInvited {
		c.Who.Role = p.last().Role
	}
	if t.in == 0 {
		c.Who.Role = parley.RoleModerator
	}
	who, err := t.enter("participant", p, c.Who)
	if err != nil {
		return Decision{}, err
	}
	return t.decided(t.entry(Joined, who, who))
}

// add lets in, or invites, on the word of somebody who is in.
func (t turn) add(c Add) (Decision, error) {
	by := t.here(c.By)
	if by == nil {
		return Decision{}, t.unknown()
	}
	p := t.byAccount[c.Who.Account]
	if p != nil && (p.isIn() || p.state() == parley.StateInvited && c.Who.State == parley.StateInvited) {
		return t.fulfilled(by, p)
	}
	if !by.moderates() && (p != nil && p.Removed || c.Who.Role == parley.RoleModerator) {
		return Decision{}, t.refuse(parley.NotPermitted, "", "Only a moderator may do this.")
	}
	who, err := t.enter("participant", p, c.Who)
	if err != nil {
		return Decision{}, err
	}
	return t.decided(t.entry(Added, by.now(), who))
}

// entry carries the settings, for the copy of who comes in.
func (t turn) entry(typ Type, by, who parley.Participant) Event {
	e := t.event(typ, by)
	e.Parts = []parley.Participant{who}
	subject, open, history := t.room.Subject, t.room.Open, t.room.History
	if who.State == parley.StateIn {
		e.Subject, e.Open, e.History = &subject, &open, &history
	}
	return e
}

// enter is a participant on the way in; p is what the room knows of them, or nil.
func (t turn) enter(field string, p *part, who parley.Participant) (parley.Participant, error) {
	if p != nil {
		who = known(p, who)
	}
	if err := t.checkWho(field, who); err != nil {
		return who, err
	}
	if p == nil && t.byID[who.ID] != nil {
		return who, t.refuse(parley.BadRequest, field, "This id belongs to another participant.")
	}
	seated := p != nil && p.state() == parley.StateInvited
	if !seated && t.in+t.invited >= MaxParticipants {
		return who, t.tooMany(field)
	}
	return newcomer(who), t.checkTurns()
}

// known is a participant under the id that the room gave them the first time.
func known(p *part, who parley.Participant) parley.Participant {
	who.ID = p.ID
	if who.Name == "" {
		who.Name = p.last().Name
	}
	if who.Address == "" {
		who.Address = p.last().Address
	}
	if who.Channel == "" {
		who.Channel = p.Channel
	}
	return who
}
