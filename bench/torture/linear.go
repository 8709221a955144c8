package torture

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"

	"github.com/parley-im/parley"
)

// What one room does, as porcupine checks it: a history of attempts is right if
// there is one order of them, in which each lies between its call and its return,
// that a plain room could have had. An attempt whose outcome is not known may take
// effect at any time after its call, or never.

// talk is what a player does in such a play.
func (y *player) talk(ctx context.Context, d Door) {
	if len(y.p.Rooms()) < y.p.Talk {
		y.create(ctx, d)
		return
	}
	room := y.p.room(y.rng)
	switch n := y.rng.IntN(100); {
	case n < 45:
		o := &Op{Kind: Post, Who: y.who, Room: room}
		y.p.H.begin(o)
		o.Text = o.Word
		y.carry(ctx, d, o)
	case n < 54:
		y.do(ctx, d, &Op{Kind: Leave, Room: room})
	case n < 66:
		y.do(ctx, d, &Op{Kind: Join, Room: room})
	case n < 72:
		others := y.p.others(y.who)
		y.do(ctx, d, &Op{Kind: Add, Room: room, To: []int{others[y.rng.IntN(len(others))]}})
	case n < 80:
		y.again(ctx, d)
	default:
		y.do(ctx, d, &Op{Kind: Read, Room: room, Bare: true})
	}
}

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

// plainRooms is the model for porcupine.
func plainRooms(people int) porcupine.Model {
	return porcupine.Model{
		Partition: func(all []porcupine.Operation) (parts [][]porcupine.Operation) {
			rooms := map[parley.ThreadID][]porcupine.Operation{}
			for _, op := range all {
				id := op.Input.(*Attempt).Op.Room
				rooms[id] = append(rooms[id], op)
			}
			for _, part := range rooms {
				parts = append(parts, part)
			}
			return parts
		},
		Init: func() any { return plainRoom{read: string(make([]byte, people))} },
		Step: func(state, input, _ any) (bool, any) {
			ok, next := state.(plainRoom).step(input.(*Attempt))
			return ok, next
		},
		Equal: func(a, b any) bool {
			x, y := a.(plainRoom), b.(plainRoom)
			return x.in == y.in && x.known == y.known && x.read == y.read &&
				slices.EqualFunc(x.events, y.events, func(a, b said) bool { return a.op == b.op && len(a.enter) == len(b.enter) })
		},
		DescribeOperation: func(input, _ any) string { return input.(*Attempt).String() },
	}
}

func (a *Attempt) String() string {
	o := a.Op
	s := fmt.Sprintf("%s %d %s: %s", o.Kind, o.N, o.Key, a.Outcome)
	switch o.Kind {
	case Post:
		s += fmt.Sprint(" at ", a.Seq)
	case Add:
		s += fmt.Sprint(" of ", o.To[0])
	case Read:
		for i := range o.Saw {
			s += " " + words.FindString(o.Saw[i].Text)
		}
	}
	return s
}

// Linearize writes a play's attempts as porcupine reads them.
func (p *Play) Linearize() []porcupine.Operation {
	var all []porcupine.Operation
	for i, a := range p.H.Attempts() {
		if a.Op.Room == "" || ownCopy(a.Op.Kind) {
			continue
		}
		op := porcupine.Operation{ClientId: a.Op.Who, Input: a, Call: a.Call, Return: a.Return}
		if a.Outcome == Unknown { // open to the end, on a line of its own
			op.Return, op.ClientId = math.MaxInt64, len(p.People)+i
		}
		all = append(all, op)
	}
	return all
}
