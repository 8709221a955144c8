package thread

import (
	"fmt"
	"time"

	"github.com/parley-im/parley"
)

// State is one room. It belongs to one goroutine.
type State struct {
	id        parley.ThreadID
	room      RoomPage
	stamps    []Span // closed runs of posts stamped history=all; the newest is room.Stamped
	parts     []*part
	byAccount map[parley.AccountID]*part
	byID      map[parley.PartID]*part
	in        int // participants who are in
	invited   int
	keys      keys
	unmade    []Founding                // offshoots of which nobody said yet that they are there
	moved     map[parley.Seq]parley.Seq // stamped posts that a split took away, and its event
	committed parley.Seq                // 0: nothing was said, all that is applied counts
	dirty     dirt
}

// New is the room before its first event.
func New(id parley.ThreadID) *State {
	return &State{
		id:        id,
		byAccount: map[parley.AccountID]*part{},
		byID:      map[parley.PartID]*part{},
		keys:      newKeys(),
		moved:     map[parley.Seq]parley.Seq{},
	}
}

// ID of the room.
func (s *State) ID() parley.ThreadID { return s.id }

// Last is the sequence of the newest event; 0 means that there is no room.
func (s *State) Last() parley.Seq { return s.room.Last }

// Applied is Last: every event up to it is folded in.
func (s *State) Applied() parley.Seq { return s.room.Last }

// Committed tells how far the events are durable. Receivers, cursors and
// deliveries then look no further: an entry that was decided but not committed
// shows nothing to anybody. Until it is first called all that is applied counts.
func (s *State) Committed(upTo parley.Seq) { s.committed = upTo }

// horizon is the last event that may be shown.
func (s *State) horizon() parley.Seq {
	if s.committed == 0 {
		return s.room.Last
	}
	return min(s.room.Last, s.committed)
}

// Apply folds an event. One that is already folded is skipped; a gap or an
// unknown type is a broken log and panics, since to go on would lose events.
func (s *State) Apply(e Event) {
	if e.Seq <= s.room.Last {
		return
	}
	if e.Seq != s.room.Last+1 || e.Type < Created || e.Type > Divided {
		panic(fmt.Sprintf("thread %s: event %d of type %d after %d", s.id, e.Seq, e.Type, s.room.Last))
	}
	s.room.Last, s.room.LastAt = e.Seq, e.At
	s.dirty.room = true
	if e.Type == Created {
		s.room.CreatedAt, s.room.Maker = e.At, e.Actor.Part
	}
	if e.Type == Posted {
		s.stamp(e)
	} else {
		s.room.Turns++
	}
	if e.Offshoot != nil {
		s.sprout(e)
	}
	s.applySettings(e)
	s.applyParts(e)
	s.keys.remember(e)
}

func (s *State) applySettings(e Event) {
	if e.Subject != nil {
		s.room.Subject = *e.Subject
	}
	if e.Open != nil {
		s.room.Open = *e.Open
	}
	if e.History != nil {
		s.room.History = *e.History
	}
}

func (s *State) applyParts(e Event) {
	for _, now := range e.Parts {
		p := s.byAccount[now.Account]
		if p == nil {
			p = &part{Part: Part{ID: now.ID, Account: now.Account}}
			s.index(p)
		}
		s.count(p.state(), -1)
		if p.stand(e, now) {
			s.dirty.cursors = true // an entry changes what lies below the low mark
		}
		s.count(p.state(), +1)
	}
	if len(e.Parts) > 0 {
		s.room.Roster = e.Seq
		s.dirty.parts = true
	}
}

func (s *State) index(p *part) {
	s.parts = append(s.parts, p)
	s.byAccount[p.Account] = p
	s.byID[p.ID] = p
}

func (s *State) count(in parley.PartState, by int) {
	switch in {
	case parley.StateIn:
		s.in += by
	case parley.StateInvited:
		s.invited += by
	}
}

// here finds a participant who is in.
func (s *State) here(acc parley.AccountID) *part {
	if p := s.byAccount[acc]; p != nil && p.isIn() {
		return p
	}
	return nil
}

// clock gives the time of the next event. Members' clocks differ, and the room
// moves between them, but its times never go back.
func (s *State) clock(now time.Time) time.Time {
	if now.Before(s.room.LastAt) {
		return s.room.LastAt
	}
	return now.UTC().Round(0)
}
