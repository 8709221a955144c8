package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/service"
)

// sending is one delivery of a room to a copy.
type sending struct {
	room parley.ThreadID
	to   parley.AccountID
	ds   []thread.Delivery
}

// Bounds of the deliveries of all rooms of a node.
const (
	sendsAtOnce = 1024
	sendsQueued = 1 << 16 // further ones; a room that is refused comes back by itself
	sendTime    = 10 * time.Second
)

// sends is the way from the rooms to the copies. Each room has a window of its
// own; the places are the node's, so that a restart with thousands of rooms that
// lag does not start tens of thousands of deliveries at once. The time includes
// the wait for a place.
func (n *Node) sends() service.Service[sending, parley.Seq] {
	places := service.NewBulkhead(service.BulkheadConfig{Op: "actors.fanout", Running: sendsAtOnce, Queue: sendsQueued, MaxWait: sendTime})
	register{n.cfg.Metrics}.read("fanout_waiting_sends", "Deliveries that wait for a place.", func() float64 { return float64(places.Waiting()) })
	return service.Chain(
		service.Record[sending, parley.Seq](n.meter.sent()),
		service.Timeout[sending, parley.Seq]("actors.fanout", sendTime),
		service.Limit[sending, parley.Seq](places),
	).AndThen(func(ctx context.Context, s sending) (parley.Seq, error) {
		n.meter.sending.Inc()
		defer n.meter.sending.Dec()
		return n.client.deliverTo(ctx, s.room, s.to, s.ds)
	})
}

// sent counts deliveries.
func (m *meter) sent() observer {
	return func(_ time.Duration, err error) { m.sends.WithLabelValues(sendOutcome(err)).Inc() }
}

func sendOutcome(err error) string {
	switch code := parley.CodeOf(err); {
	case err == nil:
		return "ok"
	case code == parley.Gone || code == parley.NotFound:
		return "gone"
	}
	return "failed"
}
