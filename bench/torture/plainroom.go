package torture

import (
	"slices"

	"github.com/parley-im/parley"
)

// said is an event of the plain room.
type said struct {
	op    *Op
	enter []int // who comes in
	leave int   // who goes, or -1
}

// plainRoom is a room as simple as it can be: who is in, who was ever, and what
// happened; and how far each copy was read.
type plainRoom struct {
	events []said
	in     uint64 // a bit for each person
	known  uint64
	read   string // one byte for each person: messages that a read has shown
}

func bit(who int) uint64 { return 1 << who }

// did finds the last event that a command made.
func (r plainRoom) did(o *Op) (seq parley.Seq, ok bool) {
	for i := len(r.events) - 1; i >= 0; i-- {
		if r.events[i].op == o {
			return parley.Seq(i + 1), true
		}
	}
	return 0, false
}

func (r plainRoom) with(e said) plainRoom {
	r.events = append(slices.Clip(r.events), e)
	for _, who := range e.enter {
		r.in |= bit(who)
		r.known |= bit(who)
	}
	if e.leave >= 0 {
		r.in &^= bit(e.leave)
	}
	return r
}

// apply is what a command does to the room, and whether the room lets it.
func (r plainRoom) apply(o *Op) (plainRoom, bool) {
	if _, again := r.did(o); again {
		return r, true
	}
	me := bit(o.Who)
	switch o.Kind {
	case Create:
		r = r.with(said{op: o, enter: append([]int{o.Who}, o.To...), leave: -1})
		if o.First {
			r = r.with(said{op: o, leave: -1})
		}
		return r, true
	case Post:
		if r.in&me == 0 {
			return r, false
		}
		return r.with(said{op: o, leave: -1}), true
	case Join:
		if len(r.events) == 0 || r.known&me == 0 && !r.events[0].op.Open {
			return r, false
		}
		if r.in&me != 0 {
			return r, true
		}
		return r.with(said{op: o, enter: []int{o.Who}, leave: -1}), true
	case Leave:
		if r.in&me == 0 {
			return r, r.known&me != 0
		}
		return r.with(said{op: o, leave: o.Who}), true
	default:
		if r.in&me == 0 || r.in&bit(o.To[0]) != 0 {
			return r, r.in&me != 0
		}
		return r.with(said{op: o, enter: o.To, leave: -1}), true
	}
}

// shows is what a copy holds of the room as it is: the words of the posts.
func (r plainRoom) shows(who int) (all []string) {
	entry, in := 0, false
	for i, e := range r.events {
		if !in && slices.Contains(e.enter, who) {
			entry, in = i, true
		}
		in = in && e.leave != who
	}
	in = false
	for i, e := range r.events {
		post := e.op.Kind == Post || e.op.Kind == Create && len(e.enter) == 0
		if post && (in || r.events[0].op.History == parley.HistoryAll && i < entry) {
			all = append(all, e.op.Word)
		}
		in = (in || slices.Contains(e.enter, who)) && e.leave != who
	}
	return all
}

// reads says whether a copy may show this: the beginning of what it holds in the
// end, and no less than it has shown before.
func (r plainRoom) reads(o *Op) (plainRoom, bool) {
	all := r.shows(o.Who)
	n := len(o.Saw)
	if n < int(r.read[o.Who]) || n > len(all) {
		return r, false
	}
	for i := range o.Saw {
		if words.FindString(o.Saw[i].Text) != all[i] {
			return r, false
		}
	}
	r.read = r.read[:o.Who] + string([]byte{byte(n)}) + r.read[o.Who+1:]
	return r, true
}

// step is one attempt, taking effect.
func (r plainRoom) step(a *Attempt) (bool, plainRoom) {
	o := a.Op
	if o.Kind == Read {
		if a.Outcome != Done { // there is no copy yet, or no answer came
			return a.Outcome == Unknown || r.read[o.Who] == 0, r
		}
		next, ok := r.reads(o)
		return ok, next
	}
	next, ok := r.apply(o)
	switch a.Outcome {
	case Unknown:
		return true, next
	case Refused:
		return !ok, r
	}
	if seq, made := next.did(o); o.Kind == Post && (!made || seq != a.Seq) {
		return false, r
	}
	return ok, next
}
