package torture

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

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
	case n > 0 && o.Denied != nil && parley.CodeOf(o.Denied) != parley.Gone: // which is said of what was deleted for good
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
		if o.Outcome == Done && (always(o) || o.Attempts == 1) && (first == nil || o.Return < first.Return) {
			first = o
		}
	}
}
