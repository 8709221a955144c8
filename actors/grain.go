package actors

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	pcluster "github.com/asynkron/protoactor-go/cluster"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/wire"
	"github.com/parley-im/parley/cluster"
	pb "github.com/parley-im/parley/messages"
)

// grain is the actor in front of a row: it turns messages into inputs of the
// activation, which it makes at the first command and drops when idle or failed.
type grain struct {
	node   *Node
	kind   kind
	id     string
	system *actor.ActorSystem
	self   *actor.PID
	act    *activation
	life   context.CancelFunc // ends the activation's context
	side   side
	asleep bool // idle once: the actor stops at the next idle tick
}

// kind says how a grain kind builds its machine.
type kind struct {
	name  string
	start func(n *Node, a *activation, id string) side // sets a.m
}

// side is what a kind does beside deciding: streams of a mailbox, fan-out of a thread.
type side interface {
	// intercept takes a command that is not for the machine; false passes it on.
	intercept(in input) bool
	// busy reports whether the activation must stay although it is idle.
	busy() bool
	// stop ends what waits.
	stop(err error)
}

// Receive implements actor.Actor.
func (g *grain) Receive(ctx actor.Context) {
	defer g.survive()
	switch m := ctx.Message().(type) {
	case *pcluster.ClusterInit:
		g.id, g.system, g.self = m.Identity.Identity, ctx.ActorSystem(), ctx.Self()
		ctx.SetReceiveTimeout(g.node.cfg.Idle)
	case *pb.Request:
		g.request(m, ctx.Sender())
	case func():
		m()
	case *actor.ReceiveTimeout:
		g.rest(ctx)
	case *cluster.Drain:
		to := ctx.Sender()
		g.drain(func() { g.system.Root.Send(to, &cluster.Drained{}) })
	case *actor.Stopping:
		g.end(errMoved)
	}
}

// survive ends the activation after a panic in the plumbing: the row knows
// everything that was acknowledged, and the actor stays to answer what is queued.
func (g *grain) survive() {
	if v := recover(); v != nil {
		g.node.cfg.Log.Error("a grain panicked", "kind", g.kind.name, "grain", g.id, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		g.end(&parley.Error{Code: parley.Unavailable, Op: "actors.grain", Public: "try again later"})
	}
}

// request decodes a call and hands it to the activation. Every call is answered.
func (g *grain) request(m *pb.Request, to *actor.PID) {
	answer := func(rep any, err error) {
		if to != nil {
			g.system.Root.Send(to, wire.Reply(rep, err))
		}
	}
	cmd, err := wire.Command(m)
	if err != nil {
		answer(nil, err)
		return
	}
	g.asleep = false
	in := input{cmd: cmd, atLeast: parley.Revision(m.GetAtLeast()), read: isRead(cmd), request: m.GetRequestId()}
	in.reply, in.came = g.metered(m, answer)
	if d := m.GetDeadlineUnixMicro(); d != 0 {
		in.deadline = time.UnixMicro(d)
	}
	if g.act != nil && g.act.phase != dead {
		in.since = g.act.begun
	}
	g.wake(cmd)
	if !g.side.intercept(in) {
		g.act.handle(in)
	}
}

// metered counts a command from here to its answer.
func (g *grain) metered(m *pb.Request, answer func(any, error)) (reply func(any, error), came time.Time) {
	meter, kind := g.node.meter, g.kind.name
	came = time.Now()
	if sent := m.GetSentUnixMicro(); sent != 0 {
		meter.queued.WithLabelValues(kind).Observe(max(0, came.Sub(time.UnixMicro(sent)).Seconds()))
	}
	meter.open.Inc()
	return func(rep any, err error) {
		meter.open.Dec()
		meter.answered.WithLabelValues(kind).Observe(time.Since(came).Seconds())
		answer(rep, err)
	}, came
}

// wake makes sure that there is a live activation; first is what it will be asked.
func (g *grain) wake(first any) {
	if g.act != nil && g.act.phase != dead {
		return
	}
	ctx, cancel := context.WithCancel(g.node.ctx)
	a := &activation{ctx: ctx, rowConfig: g.node.rowConfig(g.kind.name, g.id)}
	a.post = func(f func()) { g.system.Root.Send(g.self, f) }
	a.spawn = func(f func()) { g.node.beside.Go(f) }
	a.later = func(d time.Duration, f func()) { later(ctx, d, func() { a.post(f) }) }
	a.onDead = cancel
	g.act, g.life = a, cancel
	a.onEnd = func(err error) { g.node.meter.ends(a.table, err) }
	g.node.meter.begun(a.table)
	g.side = g.kind.start(g.node, a, g.id)
	a.load(first)
}

// rest is called when nothing came for a while: flush, remove the reminder, drop
// the state; and when that was done before, stop.
func (g *grain) rest(ctx actor.Context) {
	switch {
	case g.act == nil && g.asleep:
		ctx.Stop(ctx.Self())
	case g.act == nil:
		g.asleep = true
	case g.act.phase == dead:
		g.end(errMoved)
	case g.act.idle() && !g.side.busy():
		g.settle(func() {})
	}
}

// settle flushes and disarms step by step; done is called when the activation is
// gone or has to stay.
func (g *grain) settle(done func()) {
	a := g.act
	if a == nil || a.phase == dead {
		g.end(errMoved)
		done()
		return
	}
	if !a.settle() {
		a.post(func() { g.resettle(a, done) })
		return
	}
	a.disarm(func(ok bool) {
		if ok && a == g.act && a.idle() && !g.side.busy() {
			g.end(errMoved)
		}
		done()
	})
}

// resettle comes back to settle once the flush has landed.
func (g *grain) resettle(a *activation, done func()) {
	if a != g.act || a.phase == dead || a.idle() {
		g.settle(done)
		return
	}
	g.soon(time.Millisecond, func() { g.resettle(a, done) })
}

// drain commits what is there and lets go of the row; it answers when nothing is
// left, or when what is left needs others that are already gone.
func (g *grain) drain(done func()) {
	if g.act == nil || g.act.phase == dead {
		g.end(errMoved)
		done()
		return
	}
	// A read that waits for what may come would hold the drain up for as long.
	if s, ok := g.side.(*mailboxSide); ok {
		s.stop(errMoved)
	}
	g.act.archive.halted = true
	if g.act.idle() && !g.side.busy() {
		g.settle(done)
		return
	}
	g.soon(5*time.Millisecond, func() { g.drain(done) })
}

// soon runs f in the queue after a while, whatever becomes of the activation.
func (g *grain) soon(d time.Duration, f func()) {
	time.AfterFunc(d, func() { g.system.Root.Send(g.self, f) })
}

// end drops the activation and answers whoever waits.
func (g *grain) end(err error) {
	if g.act == nil {
		return
	}
	if g.act.phase != dead {
		g.act.onDead = nil
		g.act.abandon(err)
	}
	g.side.stop(err)
	g.life()
	g.act, g.side = nil, nil
}

// threadSide is the fan-out of a room.
type threadSide struct {
	a *activation
	f *fanout
	o *founding
}

func (s *threadSide) intercept(in input) bool {
	switch c := in.cmd.(type) {
	case wire.Wake:
		s.a.woken(c, s.probe, func(err error) { in.reply(thread.Answer{}, err) })
		return true
	case thread.Made:
		s.a.whenReady(func(err error) {
			if err == nil {
				s.o.m.state.Made(c)
			}
			in.reply(thread.Answer{}, err)
		})
		return true
	case thread.Came:
		s.a.whenReady(func(err error) {
			if err == nil {
				s.f.cameBy(c)
			}
			in.reply(thread.Answer{}, err)
		})
		return true
	}
	return false
}

// probe does again what an earlier activation may not have done.
func (s *threadSide) probe() {
	s.f.probe()
	s.o.doubt()
}

func (s *threadSide) busy() bool { return len(s.f.busy) > 0 || s.a.m.work() }
func (s *threadSide) stop(error) {}

// barrier is a command that decides nothing: its answer comes when everything
// decided before it is committed.
type barrier struct{}

// whenReady runs f in the queue behind the commands so far.
func (a *activation) whenReady(f func(error)) {
	a.handle(input{cmd: barrier{}, reply: func(_ any, err error) { f(err) }})
}
