package thread

import (
	"fmt"
	"slices"

	"github.com/parley-im/parley"
)

// create makes the room: event 1 holds everyone, a first post is event 2.
func (t turn) create(c Create) (Decision, error) {
	if t.room.Last != 0 {
		return Decision{}, t.refuse(parley.Conflict, "", "This thread exists.")
	}
	if c.History == "" {
		c.History = parley.HistoryJoined
	}
	if err := t.checkSettings(&c.Subject, &c.History); err != nil {
		return Decision{}, err
	}
	parts, err := t.gather(c)
	if err != nil {
		return Decision{}, err
	}
	e := t.event(Created, parts[0])
	e.Parts, e.Subject, e.Open, e.History = parts, &c.Subject, &c.Open, &c.History
	if c.Of != "" {
		e.Carried = &Carried{Thread: c.Of}
	}
	if len(c.Carried) > parley.MaxCarried {
		return Decision{}, t.refuse(parley.TooLarge, "messages", fmt.Sprintf("A room takes at most %d messages along.", parley.MaxCarried))
	}
	posts := c.Carried
	if c.First != nil {
		posts = append(slices.Clone(posts), *c.First)
	}
	return t.createWith(e, posts)
}

// createWith decides the first posts, each in the room as those before leave it.
// Only the last event has the command: that it is there says that all are.
func (t turn) createWith(created Event, posts []Post) (Decision, error) {
	then, events := New(t.id), []Event{created}
	then.Apply(created)
	for _, p := range posts {
		p.Author, p.Roster = created.Actor.Account, 0
		e, err := turn{State: then, op: t.op, cmd: t.cmd, at: t.at}.say(p)
		if err != nil {
			return Decision{}, err
		}
		then.Apply(e)
		events = append(events, e)
	}
	return t.decided(events...)
}

// gather makes the list of participants: the maker first, everyone once.
func (t turn) gather(c Create) ([]parley.Participant, error) {
	c.Maker.Role, c.Maker.State = parley.RoleModerator, parley.StateIn
	var parts []parley.Participant
	place := map[parley.AccountID]int{}
	taken := map[parley.PartID]bool{}
	for _, who := range append([]parley.Participant{c.Maker}, c.Others...) {
		if err := t.checkWho("to", who); err != nil {
			return nil, err
		}
		who = newcomer(who)
		if i, twice := place[who.Account]; twice {
			parts[i] = merged(parts[i], who)
			continue
		}
		if taken[who.ID] {
			return nil, t.refuse(parley.BadRequest, "to", "Two participants share an id.")
		}
		if len(parts) == MaxParticipants {
			return nil, t.tooMany("to")
		}
		place[who.Account], taken[who.ID] = len(parts), true
		parts = append(parts, who)
	}
	return parts, nil
}

// newcomer fills in what a command may leave out.
func newcomer(p parley.Participant) parley.Participant {
	if p.Role == "" {
		p.Role = parley.RoleMember
	}
	if p.Channel == "" {
		p.Channel = parley.ChannelChat
	}
	if p.State != parley.StateInvited {
		p.State = parley.StateIn
	}
	return p
}

// merged is somebody who was named twice: with the higher role, and in rather
// than invited.
func merged(p, again parley.Participant) parley.Participant {
	if again.Role == parley.RoleModerator {
		p.Role = again.Role
	}
	if again.State == parley.StateIn {
		p.State = again.State
	}
	return p
}

func (t turn) tooMany(field string) error {
	return t.refuse(parley.TooManyRecipients, field, fmt.Sprintf("A room has at most %d participants.", MaxParticipants))
}
