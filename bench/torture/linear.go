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

// Linearize writes a play's attempts as porcupine reads them. Attempts in a row that
// were not answered are one with the answer that came in the end: it took effect, if
// at all, somewhere between the first call and that. What was never answered stays
// open to the end, on a line of its own.
func (p *Play) Linearize() []porcupine.Operation {
	var all []porcupine.Operation
	open := map[*Op]*Attempt{}
	for _, a := range p.H.Attempts() {
		o := a.Op
		if o.Room == "" || ownCopy(o.Kind) {
			continue
		}
		first := open[o]
		if a.Outcome == Unknown {
			if first == nil && o.Kind != Read && (o.Outcome != Done || a.Call < o.Return) {
				open[o] = a
			}
			continue
		}
		op := porcupine.Operation{ClientId: o.Who, Input: a, Call: a.Call, Return: a.Return}
		if first != nil && a.Outcome == Done {
			op.Call = first.Call
		}
		delete(open, o)
		all = append(all, op)
	}
	for _, a := range open {
		all = append(all, porcupine.Operation{ClientId: len(p.People) + len(all), Input: a, Call: a.Call, Return: math.MaxInt64})
	}
	return all
}
