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
		c.stream(l, who)
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
