package actors

import (
	"context"
	"errors"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/wire"
	"github.com/parley-im/parley/cluster"
	pb "github.com/parley-im/parley/messages"
	"github.com/parley-im/parley/service"
)

// call is one command on its way to a grain.
type call struct {
	kind, id string
	cmd      any
	atLeast  parley.Revision
}

func (c call) peer() string { return c.kind + "/" + c.id }

// Patience of a client with grains that are moving.
const (
	callTime     = 15 * time.Second // a call without a deadline of its own
	callAttempts = 12               // of one call; with the pauses below about 3 s in all
	callPause    = 20 * time.Millisecond
	callMaxPause = 300 * time.Millisecond
	callBurst    = 1000             // repeats saved up: a room that moves has as many callers
	grainPause   = 2 * time.Second  // a grain that mostly fails is left alone for so long
	grainWindow  = 10 * time.Second // in which it failed
)

// calls is the way out to the grains. Every command is safe to repeat, since it
// has an id, and the activation that follows one which dropped its state knows
// whether the command was committed. The budget keeps repeats a share of the
// calls, so that a store that is away is not asked twelve times as much. A grain
// that cannot load is refused at once for a while: each attempt would read its row
// again. A grain is its own peer, because one that is ill says nothing of others.
func calls(m *meter, to register, send service.Service[call, any]) service.Service[call, any] {
	retry := service.Retry[call, any](service.RetryConfig{Attempts: callAttempts, Delay: callPause, MaxDelay: callMaxPause,
		Budget: service.NewBudget(service.BudgetConfig{Percent: 20, Burst: callBurst}), Retries: m.repeats})
	ill := service.NewBreakers(service.BreakersConfig{Each: service.BreakerConfig{Op: "actors.call",
		Window: grainWindow, Pause: grainPause, Failed: grainFailed, Opened: m.leftAlone}})
	to.read("watched_grains", "Grains that failed and have not come back, those that are left alone included.", func() float64 { return float64(ill.Watched()) })
	return service.Chain(inTime, retry, service.GuardEach[call, any](ill, call.peer)).AndThen(send)
}

// grainFailed tells a grain that cannot answer from one that has too many callers
// and from a command that fails by its own fault.
func grainFailed(err error) bool {
	return parley.CodeOf(err) == parley.Unavailable && !errors.Is(err, cluster.ErrBusy)
}

// inTime gives a call without a deadline one. A later one of the caller's stays:
// reads that wait for what may come need it.
func inTime(ctx context.Context, c call, next service.Service[call, any]) (any, error) {
	if _, ok := ctx.Deadline(); ok {
		return next(ctx, c)
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return next(ctx, c)
}

// send is one attempt.
func (n *Node) send(ctx context.Context, c call) (any, error) {
	deadline, _ := ctx.Deadline()
	if c.atLeast > 0 { // the grain may park it for so long; a shorter attempt would hear nothing, and park another
		ctx = cluster.Patient(ctx, behindWait+callTime)
	}
	req, err := wire.Request(c.cmd, parley.RequestOf(ctx), deadline, c.atLeast)
	if err != nil {
		return nil, err
	}
	req.SentUnixMicro = time.Now().UnixMicro()
	rep, err := n.cluster.Call(ctx, c.kind, c.id, req)
	var answer any
	if err == nil {
		answer, err = wire.Answer(rep.(*pb.Reply))
	}
	n.meter.called(c.kind, err)
	return answer, err
}
