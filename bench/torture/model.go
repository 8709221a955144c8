package torture

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// The rules that concern who sees what, in the plainest form: one
// walk over the room's events with a set of who is in.

// seat is what a walk over a room knows of one account.
type seat struct {
	in      bool
	invited bool
	entered bool // at least once
	role    parley.Role
	part    parley.PartID
}

// view is what one account must have of a room.
type view struct {
	events    []*thread.Event            // that it may see, in order
	seat      seat                       // at the end
	there     map[parley.PartID]bool     // who was in or invited as of its last event
	subject   string                     // as of its last event
	mentioned map[parley.MessageID]bool  // posts that mention the owner as one of the room
	seats     map[parley.AccountID]*seat // as of its last event
}

// walk steps through a room; visit is called with how things stood before the event.
func (r *Room) walk(visit func(e *thread.Event, seats map[parley.AccountID]*seat)) map[parley.AccountID]*seat {
	seats := map[parley.AccountID]*seat{}
	for i := range r.Events {
		e := &r.Events[i]
		visit(e, seats)
		for _, p := range e.Parts {
			s := seats[p.Account]
			if s == nil {
				s = &seat{}
				seats[p.Account] = s
			}
			s.in, s.invited, s.role, s.part = p.State == parley.StateIn, p.State == parley.StateInvited, p.Role, p.ID
			s.entered = s.entered || s.in
		}
	}
	return seats
}

// receives says whether the account is one of the receivers of an event: in after
// the one before, or joining or leaving in it.
func receives(acc parley.AccountID, e *thread.Event, seats map[parley.AccountID]*seat) bool {
	if s := seats[acc]; s != nil && s.in {
		return true
	}
	return slices.ContainsFunc(e.Parts, func(p parley.Participant) bool { return p.Account == acc && p.State == parley.StateIn })
}

// lastEntry is the event with which the account came in the last time; 0 if never.
func (r *Room) lastEntry(acc parley.AccountID) (last parley.Seq) {
	r.walk(func(e *thread.Event, seats map[parley.AccountID]*seat) {
		was := seats[acc] != nil && seats[acc].in
		if !was && receives(acc, e, seats) {
			last = e.Seq
		}
	})
	return last
}

// viewOf folds the room for one account: its intervals, and what was posted for
// everybody to come.
func (r *Room) viewOf(acc parley.AccountID) view {
	v := view{mentioned: map[parley.MessageID]bool{}}
	entry := r.lastEntry(acc)
	r.walk(func(e *thread.Event, seats map[parley.AccountID]*seat) {
		sees := receives(acc, e, seats) || e.Type == thread.Posted && e.HistoryAll && e.Seq < entry
		if !sees {
			return
		}
		v.events = append(v.events, e)
		if me := seats[acc]; me != nil && me.entered && slices.Contains(e.Mentions, me.part) {
			v.mentioned[e.Message] = true
		}
	})
	v.asOf(r, acc)
	return v
}

// asOf tells how the room stood as of the account's last event.
func (v *view) asOf(r *Room, acc parley.AccountID) {
	if len(v.events) == 0 {
		return
	}
	last := v.events[len(v.events)-1].Seq
	part := &Room{ID: r.ID, Events: r.Events[:last]}
	v.seats = part.walk(func(e *thread.Event, _ map[parley.AccountID]*seat) {
		if e.Subject != nil && e.Type != thread.Joined && e.Type != thread.Added {
			v.subject = *e.Subject
		}
	})
	v.there = map[parley.PartID]bool{}
	for _, s := range v.seats {
		if s.in || s.invited {
			v.there[s.part] = true
		}
	}
	if s := v.seats[acc]; s != nil {
		v.seat = *s
	}
}

// posts are the messages of the view.
func (v view) posts() []*thread.Event {
	return slices.DeleteFunc(slices.Clone(v.events), func(e *thread.Event) bool { return e.Type != thread.Posted })
}
