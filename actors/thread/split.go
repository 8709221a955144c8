package thread

import (
	"fmt"
	"slices"

	"github.com/parley-im/parley"
)

// Split moves posts into a new room of all who are in, on a moderator's word.
// The posts stay in this room's sequence: each copy that gets the event moves
// those that it holds, so that nobody sees by it what they did not see before.
// Who comes in later is not shown them, not by history=all either: they are in
// the other room, for whoever was here.
type Split struct {
	Cmd     parley.Command
	By      parley.AccountID
	Room    parley.ThreadID // derived from the command by the caller
	Subject string          // "": as here
	Posts   []Moving
}

const (
	// MaxSplit is how many posts one split moves.
	MaxSplit = 100
	// MaxOffshoots bounds how many rooms are split off from one: it remembers them all.
	MaxOffshoots = 100
)

// Offshoot is what a split made.
type Offshoot struct {
	Room    parley.ThreadID
	Subject string
	Posts   []Moving
}

// Moving is a post that goes to another room. The caller's copy knows it by its
// number; 0 where it came here by a split itself, and so is in no sequence of this room.
type Moving struct {
	Message parley.MessageID
	Seq     parley.Seq
}

// Founding is what the room remembers of an offshoot: enough to make it again.
type Founding struct {
	Seq     parley.Seq // of the event
	Room    parley.ThreadID
	By      parley.PartID
	Subject string
	Granted []parley.Seq // of its posts those that were stamped history=all, ascending
}

func (t turn) split(c Split) (Decision, error) {
	by := t.here(c.By)
	if by == nil {
		return Decision{}, t.unknown()
	}
	if err := t.checkSplit(by, &c); err != nil {
		return Decision{}, err
	}
	if err := t.checkTurns(); err != nil {
		return Decision{}, err
	}
	e := t.event(Divided, by.now())
	e.Offshoot = &Offshoot{Room: c.Room, Subject: c.Subject, Posts: slices.Clone(c.Posts)}
	d, err := t.decided(e)
	d.Answer.Part, d.Answer.Participants, d.Answer.Subject = by.now(), t.founders(t.room.Last), c.Subject
	return d, err
}

// resplit lets a repeat tell what it takes to make the room, as the first answer
// did: whoever got that one may have died with it.
func (s *State) resplit(d Decision) Decision {
	i := slices.IndexFunc(s.room.Offshoots, func(f Founding) bool { return f.Seq == d.Answer.Seq })
	if a := &d.Answer; a.Replayed && i >= 0 {
		f := s.room.Offshoots[i]
		a.Part, a.Participants, a.Subject = parley.Participant{ID: f.By}, s.founders(f.Seq), f.Subject
	}
	return d
}

func (t turn) checkSplit(by *part, c *Split) error {
	if c.Subject == "" {
		c.Subject = t.room.Subject
	}
	switch {
	case !by.moderates():
		return t.refuse(parley.NotPermitted, "", "Only a moderator may split the room.")
	case len(c.Posts) == 0:
		return t.refuse(parley.BadRequest, "messages", "There is nothing to move.")
	case len(c.Posts) > MaxSplit:
		return t.refuse(parley.TooLarge, "messages", fmt.Sprintf("A split moves at most %d messages of a room.", MaxSplit))
	case !c.Room.Valid() || c.Room == t.id || slices.ContainsFunc(c.Posts, t.wrong):
		return t.refuse(parley.BadRequest, "messages", "An id is wrong.")
	case len(t.room.Offshoots) >= MaxOffshoots:
		return t.refuse(parley.Conflict, "", "This room was split as often as it can be.")
	}
	return t.checkSettings(&c.Subject, nil)
}

func (s *State) wrong(m Moving) bool { return !m.Message.Valid() || m.Seq > s.room.Last }

// founders are those who are in as of an event: who gets a split gets its room.
func (s *State) founders(seq parley.Seq) []parley.Participant {
	return slices.DeleteFunc(s.roster(seq), func(p parley.Participant) bool { return p.State != parley.StateIn })
}

// sprout remembers the room that a split makes.
func (s *State) sprout(e Event) {
	f := Founding{Seq: e.Seq, Room: e.Offshoot.Room, By: e.Actor.Part, Subject: e.Offshoot.Subject}
	for _, m := range e.Offshoot.Posts {
		if m.Seq > 0 && s.stampedBelow(m.Seq+1) == m.Seq && s.moved[m.Seq] == 0 {
			f.Granted = append(f.Granted, m.Seq)
			s.moved[m.Seq] = f.Seq
		}
	}
	slices.Sort(f.Granted)
	s.room.Offshoots = append(s.room.Offshoots, f)
	s.unmade = append(s.unmade, f)
}

// Unmade are the rooms that are to be made, or may be there without this room
// knowing. To make one that is there is refused and changes nothing.
func (s *State) Unmade() (out []Founding) {
	for _, f := range s.unmade {
		if f.Seq <= s.horizon() {
			out = append(out, f)
		}
	}
	return out
}

// Found is the command that makes an offshoot, the same at any time: it goes by
// the participants as of the split.
func (s *State) Found(f Founding) Create { return found(s.founders(f.Seq), f.By, f.Subject) }

// Founds is that command as the answer to a split tells it.
func (a Answer) Founds() Create { return found(a.Participants, a.Part.ID, a.Subject) }

// found makes a room of the same participants and roles, closed, and without
// history for who comes later.
func found(parts []parley.Participant, by parley.PartID, subject string) Create {
	c := Create{Subject: subject, History: parley.HistoryJoined}
	for _, p := range parts {
		if p.ID == by {
			c.Maker = p
		} else {
			c.Others = append(c.Others, p)
		}
	}
	return c
}

// Made takes note that an offshoot is there.
func (s *State) Made(m Made) {
	s.unmade = slices.DeleteFunc(s.unmade, func(f Founding) bool { return f.Room == m.Room })
}

// Doubt has all offshoots made again: an earlier activation may have died between
// a split and its room.
func (s *State) Doubt() { s.unmade = slices.Clone(s.room.Offshoots) }
