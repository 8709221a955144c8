package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// founding makes the rooms that were split off from one. The edge that asked for
// the split does it at once; this is for when it did not come to it. That a room
// is there is not stored: while it may be untrue a reminder stands, and its call
// has all of them made again, which those that are there refuse.
type founding struct {
	a    *activation
	m    *threadMachine
	make func(context.Context, parley.ThreadID, thread.Create) error
	busy bool
	wait time.Duration
}

func newFounding(a *activation, m *threadMachine, c *Client) *founding {
	o := &founding{a: a, m: m, wait: a.tune.foundingGrace}
	o.make = func(ctx context.Context, id parley.ThreadID, cr thread.Create) error {
		_, err := c.makeOffshoot(ctx, cr.Maker.Account, id, cr)
		return err
	}
	a.onLoad = append(a.onLoad, o.pump)
	a.onCommit = append(a.onCommit, o.pump)
	return o
}

// pump arranges for what is to be made, one round at a time.
func (o *founding) pump() {
	if o.a.phase == dead || o.busy || len(o.m.state.Unmade()) == 0 {
		return
	}
	o.busy = true
	o.a.later(o.wait, o.round)
}

func (o *founding) doubt() {
	o.m.state.Doubt()
	o.wait = 0
	o.pump()
}

func (o *founding) round() {
	if o.a.phase == dead {
		return
	}
	list := o.m.state.Unmade()
	commands := make([]thread.Create, len(list))
	for i, f := range list {
		commands[i] = o.m.state.Found(f)
	}
	o.a.spawn(func() {
		errs := make([]error, len(list))
		for i, f := range list {
			ctx, cancel := context.WithTimeout(o.a.ctx, callTime)
			errs[i] = o.make(ctx, f.Room, commands[i])
			cancel()
		}
		o.a.post(func() { o.made(list, errs) })
	})
}

// made takes the outcome of a round and goes on with what is left.
func (o *founding) made(list []thread.Founding, errs []error) {
	if o.a.phase == dead {
		return
	}
	o.busy = false
	next := o.a.tune.foundingGrace
	for i, err := range errs {
		if err == nil {
			o.m.state.Made(thread.Made{Room: list[i].Room})
			continue
		}
		next = min(max(2*o.wait, fanoutPause), fanoutMax)
		o.a.log.Info("a room that was split off could not be made", "thread", list[i].Room, "err", err)
	}
	o.wait = next
	o.pump()
}
