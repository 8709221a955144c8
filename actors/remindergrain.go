package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	pcluster "github.com/asynkron/protoactor-go/cluster"
	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/reminder"
	"github.com/parley-im/parley/actors/wire"
	pb "github.com/parley-im/parley/messages"
	"github.com/parley-im/parley/persistence"
)

// KindReminder is the grain kind of a bucket of reminders; its identities are
// two hexadecimal digits, for ever.
const KindReminder = "reminder"

// Pace of the reminders.
const (
	reminderTick    = 2 * time.Second
	remindersAtOnce = 1000 // entries that one tick of a bucket reads
	wakesAtOnce     = 16   // calls of one bucket at a time
	wakeTime        = 10 * time.Second
)

// reminderGrain wakes the grains whose reminders are due. Its row needs no fence:
// entries are put and erased by their owners, each key once.
type reminderGrain struct {
	node   *Node
	row    []byte
	system *actor.ActorSystem
	self   *actor.PID
	state  *reminder.State
	busy   bool
}

// Receive implements actor.Actor.
func (g *reminderGrain) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *pcluster.ClusterInit:
		var bucket byte
		_, _ = fmt.Sscanf(m.Identity.Identity, "%02x", &bucket)
		g.row, g.system, g.self, g.state = reminderRow(bucket), ctx.ActorSystem(), ctx.Self(), reminder.New()
	case func():
		m()
	case *pb.Request:
		to := ctx.Sender()
		g.ping(func(err error) {
			if to != nil {
				g.system.Root.Send(to, wire.Reply(mailbox.Reply{}, err))
			}
		})
	}
}

// ping reads what is due and calls it; a ping during another does nothing.
func (g *reminderGrain) ping(answer func(error)) {
	if g.busy {
		answer(nil)
		return
	}
	g.busy = true
	now := g.node.cfg.Now()
	r := persistence.Range{Family: persistence.Remind, To: g.state.Horizon(now), Limit: remindersAtOnce}
	g.node.beside.Go(func() {
		ctx, cancel := context.WithTimeout(g.node.ctx, wakeTime)
		defer cancel()
		got, err := g.node.cfg.Store.Read(ctx, persistence.Reminder, g.row, r)
		g.system.Root.Send(g.self, func() { g.read(got, err, now, answer) })
	})
}

func (g *reminderGrain) read(got [][]persistence.Cell, err error, now time.Time, answer func(error)) {
	g.busy = false
	if err != nil {
		answer(parley.Wrap(parley.Unavailable, "reminder.read", err))
		return
	}
	var entries []reminder.Entry
	for _, c := range got[0] {
		e, err := reminder.Parse(c.Qualifier)
		if err != nil {
			g.node.cfg.Log.Error("a reminder cannot be read", "err", err)
			continue
		}
		entries = append(entries, e)
	}
	due := g.state.Tick(entries, now)
	if len(due) == 0 {
		answer(nil)
		return
	}
	g.node.beside.Go(func() {
		answer(g.node.client.wakeAll(g.node.ctx, due))
	})
}

// wakeAll calls the grains of due reminders, a few at a time.
func (c *Client) wakeAll(ctx context.Context, due []reminder.Entry) error {
	var eg errgroup.Group
	eg.SetLimit(wakesAtOnce)
	for _, e := range due {
		eg.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, wakeTime)
			defer cancel()
			_, err := c.call(ctx, e.Kind, e.ID, wire.Wake{Key: e.Key}, 0) // again, if the activation had lost its row
			c.n.meter.woken(c.n.cfg.Now().Sub(e.Due), err)
			if err != nil {
				c.n.cfg.Log.Info("a reminder's grain could not be woken", "kind", e.Kind, "grain", e.ID, "err", err)
			}
			return nil
		})
	}
	return eg.Wait()
}

// Run pings the buckets that this member owns until ctx ends.
func (n *Node) Run(ctx context.Context) error {
	t := time.NewTicker(reminderTick)
	defer t.Stop()
	for {
		n.Tick(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// Tick pings each bucket once and waits for the calls that were due.
func (n *Node) Tick(ctx context.Context) {
	var eg errgroup.Group
	eg.SetLimit(16)
	for b := range 256 {
		id := fmt.Sprintf("%02x", b)
		if !n.cluster.Owns(KindReminder, id) {
			continue
		}
		eg.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, wakeTime)
			defer cancel()
			if _, err := n.send(ctx, call{kind: KindReminder, id: id, cmd: wire.Ping{}}); err != nil && ctx.Err() == nil {
				n.cfg.Log.Warn("a bucket of reminders does not answer", "bucket", id, "err", err)
			}
			return nil
		})
	}
	_ = eg.Wait()
}
