package torture

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// maxProblems bounds what one check reports; the first few tell enough.
const maxProblems = 40

// check holds what is stored and shown to the history of a play.
type check struct {
	*Play
	ctx      context.Context
	door     Reader
	rooms    map[parley.ThreadID]*Room
	asked    map[parley.CommandID]*Op // commands of the play, by the id they have in a room
	says     map[string]*Op           // by word
	problems []string
}

// Check compares a life that has settled with everything that the play was told.
// It reads as the players do; what it finds wrong comes back, nothing if all is well.
func (p *Play) Check(ctx context.Context, l *Life) []string {
	return p.CheckThrough(ctx, l, l.Node.Client())
}

// CheckThrough is Check through another door to the same life.
func (p *Play) CheckThrough(ctx context.Context, l *Life, d Reader) []string {
	c := &check{Play: p, ctx: ctx, door: d, asked: map[parley.CommandID]*Op{}, says: map[string]*Op{}}
	c.problems = append(c.problems, p.H.Wrongs()...)
	for _, o := range p.H.Ops() {
		c.says[o.Word] = o
		if o.Kind == Mail || o.Bare {
			continue
		}
		for _, key := range append([]string{o.Key}, o.Earlier...) {
			c.asked[p.Secret.Command(p.People[o.Who].Account, key)] = o
		}
	}
	var err error
	if c.rooms, err = ReadRooms(ctx, l.Store); err != nil {
		c.problem("the rooms cannot be read: %v", err)
		return c.problems
	}
	c.sequences()
	c.reads()
	for who := range p.People {
		c.person(who)
	}
	// What was only replayed so far is written back: then purges have reached the pages.
	if err := l.Settle(ctx); err != nil {
		c.problem("%v", err)
	}
	for who := range p.People {
		c.row(l, who)
	}
	c.audit(l)
	return c.problems
}

func (c *check) problem(format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fmt.Sprintf(format, args...))
	}
}

// sequences holds the rooms to what was asked of them and answered.
func (c *check) sequences() {
	made := map[*Op][]*thread.Event{}
	for _, r := range c.rooms {
		for i := range r.Events {
			e := &r.Events[i]
			o := c.asked[e.Cmd]
			if o == nil || o.Room != r.ID {
				c.problem("room %s: nobody asked for event %d (%q)", r.ID, e.Seq, short(e.Text))
				continue
			}
			made[o] = append(made[o], e)
		}
		c.membership(r)
	}
	for _, o := range c.H.Ops() {
		if makes(o) > 0 {
			c.outcome(o, made[o])
		}
	}
	for _, r := range c.rooms {
		c.order(r, made)
	}
}

// makes is how many events a command makes in a room, at most.
func makes(o *Op) int {
	switch {
	case o.Kind == Create && o.First:
		return 2
	case slices.Contains([]Kind{Create, Post, Join, Leave, Add, Rename}, o.Kind):
		return 1
	}
	return 0
}

// always says that the command makes its events whenever it is done; the others
// may find their wish fulfilled.
func always(o *Op) bool { return o.Kind == Create || o.Kind == Post }

// outcome holds one command to what was answered: done is there once, refused is
// not there, unknown is there whole or not at all.
func (c *check) outcome(o *Op, es []*thread.Event) {
	switch n := len(es); {
	case n > makes(o):
		c.problem("%v is in its room %d times: doubled", o, n)
	case n == 0 && o.Outcome == Done && always(o):
		c.problem("%v is missing", o)
	case n > 0 && o.Outcome == Refused:
		c.problem("%v was refused (%v) and is there", o, o.Refusal)
	case n > 0 && o.Denied != nil:
		c.problem("%v is there and its repeat was refused: %v", o, o.Denied)
	case n > 0 && n < makes(o):
		c.problem("%v is there in part", o)
	}
	for _, e := range es {
		c.content(o, e)
	}
}

// content holds an event to what the command said.
func (c *check) content(o *Op, e *thread.Event) {
	if e.Actor.Account != c.People[o.Who].Account {
		c.problem("%v is there as said by %s", o, e.Actor.Account)
	}
	if e.Type != thread.Posted {
		return
	}
	if o.Kind == Post && o.Outcome == Done && (e.Message != o.Message || e.Seq != o.Seq) {
		c.problem("%v was answered as %s at %d and is %s at %d", o, o.Message, o.Seq, e.Message, e.Seq)
	}
	if e.Text != o.Text && (e.Text != "" || e.TextBlob != digest([]byte(o.Text))) {
		c.problem("%v says %q, not %q", o, short(e.Text), short(o.Text))
	}
	if len(e.Attachments) != len(o.Files) {
		c.problem("%v has %d attachments, not %d", o, len(e.Attachments), len(o.Files))
		return
	}
	for i, f := range o.Files {
		if e.Attachments[i].Blob != digest(f.Raw) || e.Attachments[i].Size != int64(len(f.Raw)) {
			c.problem("%v: attachment %d is another one", o, i)
		}
	}
}

// membership holds a room to its own rules: who posts is in, who enters was out.
func (c *check) membership(r *Room) {
	r.walk(func(e *thread.Event, seats map[parley.AccountID]*seat) {
		actor := seats[e.Actor.Account]
		in := actor != nil && actor.in
		switch e.Type {
		case thread.Posted, thread.Left, thread.Changed, thread.Added:
			if !in {
				c.problem("room %s: event %d is by somebody who is not in", r.ID, e.Seq)
			}
		case thread.Joined:
			if in {
				c.problem("room %s: event %d lets in somebody who is in", r.ID, e.Seq)
			}
		}
	})
}

// order holds the sequence to real time: what was answered before another thing
// was asked for comes before it.
func (c *check) order(r *Room, made map[*Op][]*thread.Event) {
	ops := make([]*Op, len(r.Events))
	for o, es := range made {
		for _, e := range es {
			if o.Room == r.ID {
				ops[e.Seq-1] = o
			}
		}
	}
	var first *Op // answered, the earliest of those later in the room
	for i := len(ops) - 1; i >= 0; i-- {
		o := ops[i]
		if o == nil {
			continue
		}
		if first != nil && o != first && o.Call > first.Return {
			c.problem("%v comes before %v, which was answered before it was asked", o, first)
		}
		if o.Outcome == Done && !o.Anew && (first == nil || o.Return < first.Return) {
			first = o
		}
	}
}
