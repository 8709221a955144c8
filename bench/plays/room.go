package plays

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// room is a room as its whole sequence: what is said of it is folded from there.
type room struct {
	id      parley.ThreadID
	events  []*event
	seats   []*seat // in the order in which they first came
	subject string
	open    bool
	history parley.History
}

// seat is a participant.
type seat struct {
	seatShape
	who     *person
	removed bool
	entered parley.Seq // the last time
}

func (s *seat) in() bool        { return s != nil && s.State == parley.StateIn }
func (s *seat) moderates() bool { return s.in() && s.Role == parley.RoleModerator }

// event is one of the sequence.
type event struct {
	seq      parley.Seq
	at       time.Time
	notice   parley.Notice // "" for a post
	actor    *seat
	message  parley.MessageID
	text     string
	files    []file
	replyTo  parley.MessageID
	mentions []parley.PartID
	stamped  bool        // history=all when posted
	touched  []seatShape // how those stand whom the event is about
	entering *person     // who comes in with it
	roster   []seatShape // for who comes in: everybody there
	subject  *string
	open     *bool
	history  *parley.History
	carried  *carried        // of a mail that the room was made of
	of       parley.ThreadID // of the first event: the maker's mail thread
}

// carried is what a post keeps of the mail that it was.
type carried struct {
	author  authorShape
	subject string
}

// file is what was uploaded: the content decides which blob it is.
type file struct {
	name, kind, content string
}

func (r *room) last() parley.Seq { return parley.Seq(len(r.events)) }

func (r *room) seat(who *person) *seat {
	for _, s := range r.seats {
		if s.who == who {
			return s
		}
	}
	return nil
}

func (r *room) seatOf(id parley.PartID) *seat {
	for _, s := range r.seats {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// anybody reports whether somebody is in.
func (r *room) anybody() bool { return slices.ContainsFunc(r.seats, (*seat).in) }

func (r *room) lastModerator(s *seat) bool {
	return s.moderates() && !slices.ContainsFunc(r.seats, func(q *seat) bool { return q != s && q.moderates() })
}

// present is everybody in, in the order in which the room came to know them.
func (r *room) present() (out []seatShape) {
	for _, s := range r.seats {
		if s.in() {
			out = append(out, s.seatShape)
		}
	}
	return out
}

// enter brings somebody in, under the seat they had before.
func (r *room) enter(e *event, who *person, role parley.Role) *seat {
	s := r.seat(who)
	if s == nil {
		s = &seat{who: who, seatShape: seatShape{Account: who.id, Name: who.name, Address: who.address}}
		r.seats = append(r.seats, s)
	}
	s.State, s.Role, s.removed, s.entered = parley.StateIn, role, false, e.seq
	e.touched, e.entering = append(e.touched, s.seatShape), who
	return s
}

// exit lets somebody out; a room with people keeps a moderator, who is in for the
// longest time.
func (r *room) exit(e *event, s *seat, removed bool) {
	last := r.lastModerator(s)
	s.State, s.Role, s.removed = parley.StateLeft, parley.RoleMember, removed
	e.touched = append(e.touched, s.seatShape)
	var next *seat
	for _, q := range r.seats {
		if q.in() && (next == nil || q.entered < next.entered) {
			next = q
		}
	}
	if last && next != nil {
		next.Role = parley.RoleModerator
		e.touched = append(e.touched, next.seatShape)
	}
}

// receivers are who was in before the event, and who comes in or goes with it.
func (r *room) receivers(e *event, before []*person) []*person {
	out := slices.Clone(before)
	if e.entering != nil && !slices.Contains(out, e.entering) {
		out = append(out, e.entering)
	}
	return out
}

func (r *room) inNow() (out []*person) {
	for _, s := range r.seats {
		if s.in() {
			out = append(out, s.who)
		}
	}
	return out
}

// happen numbers an event, lets change fold it into the room, and gives it to
// every copy that receives it.
func (p *play) happen(r *room, actor *person, change func(*event)) *event {
	before := r.inNow()
	e := &event{seq: r.last() + 1, at: p.house.clock.Now()}
	change(e)
	if e.actor == nil {
		e.actor = r.seat(actor)
	}
	r.events = append(r.events, e)
	if e.notice == parley.NoticeCreated {
		before = r.inNow()
	}
	if e.entering != nil || e.notice == parley.NoticeCreated {
		e.roster = r.present()
	}
	for _, who := range r.receivers(e, before) {
		who.box.owe(r, e)
	}
	return e
}
