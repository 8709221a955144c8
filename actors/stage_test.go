package actors

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// stage plays an activation of a mailbox and all that runs beside it, one store
// operation at a time, in an order that a seed draws.
type stage struct {
	*activation
	inner  persistence.Store
	state  *mailbox.State
	t      testing.TB
	rng    *rand.Rand
	end    context.CancelFunc
	clock  time.Time
	queue  []func()
	fibers []*fiber
	runs   *fiber    // the one that runs, nil for the queue
	baton  chan bool // comes back from it: whether it has ended

	ops     int
	crashAt int            // the operation at which the process dies; 0: none
	lost    faulty.Outcome // what becomes of that operation
	down    bool
	faults  bool // some writes of jobs fail clearly, and are tried again
	favour  int  // this fiber runs on most of the time
}

// newest is what was spawned last.
func (s *stage) newest() *fiber { return s.fibers[len(s.fibers)-1] }

// fiber is something spawned; it stands before each of its store operations.
type fiber struct {
	resume chan struct{}
	table  persistence.Table // of the operation that it stands before
}

var errDown = errors.New("the process died")

func newStage(t testing.TB, inner persistence.Store, acc parley.AccountID, seed, life uint64, segment int) *stage {
	s := &stage{inner: inner, t: t, rng: rand.New(rand.NewPCG(seed, life)), baton: make(chan bool), lost: faulty.Refuse}
	var ctx context.Context
	ctx, s.end = context.WithCancel(context.Background())
	store := faulty.New(inner, s.plan)
	tune := defaultTuning()
	tune.segment, tune.flushActions, tune.flushAge, tune.pageBudget = uint64(segment), 3, time.Hour, 1
	row := parley.RowKey(string(acc))
	nonce := life << 32
	s.activation = &activation{ctx: ctx, rowConfig: rowConfig{
		store: store, history: newLogReader(store, persistence.Mailbox, row), table: persistence.Mailbox, id: string(acc), row: row,
		now: func() time.Time { return s.clock }, newNonce: func() uint64 { nonce++; return nonce },
		log: slog.New(slog.DiscardHandler), tune: tune, meter: newMeter(nil),
		post: func(f func()) { s.queue = append(s.queue, f) }, spawn: s.spawnFiber, later: func(_ time.Duration, f func()) { s.queue = append(s.queue, f) },
	}}
	m := newMailboxMachine(string(acc), &rowTexts{history: s.history}, s.recent.get)
	m.state.Touch(2)
	s.m, s.state = m, m.state
	newJobs(s.activation, m.state)
	s.queue = append(s.queue, func() { s.load(nil) })
	return s
}

// plan holds a fiber back before its operation, and has the process die at one.
func (s *stage) plan(op faulty.Op) faulty.Outcome {
	if f := s.runs; f != nil {
		f.table = op.Table
		s.baton <- false
		<-f.resume
	}
	s.ops++
	switch {
	case s.down:
		return faulty.Refuse
	case s.ops == s.crashAt:
		s.down = true
		return s.lost
	case s.faults && (op.Kind == faulty.Put || op.Kind == faulty.Erase) && s.rng.IntN(10) == 0:
		return faulty.Refuse
	}
	return faulty.Pass
}

func (s *stage) spawnFiber(f func()) {
	fb := &fiber{resume: make(chan struct{})}
	s.fibers = append(s.fibers, fb)
	go func() {
		<-fb.resume
		f()
		s.baton <- true
	}()
}

// step lets something go on; false if there is nothing.
func (s *stage) step() bool {
	i := s.rng.IntN(len(s.fibers) + min(len(s.queue), 1) + 1)
	if s.rng.IntN(10) > 0 {
		i = s.favour
	}
	s.favour = i
	switch {
	case len(s.fibers)+len(s.queue) == 0:
		return false
	case i < len(s.fibers):
		s.proceed(i)
	case len(s.queue) > 0:
		f := s.queue[0]
		s.queue = s.queue[1:]
		f()
		s.favour = s.rng.IntN(len(s.fibers) + 1)
	}
	return true
}

func (s *stage) proceed(i int) {
	s.runs = s.fibers[i]
	s.runs.resume <- struct{}{}
	if <-s.baton {
		s.fibers = append(s.fibers[:i], s.fibers[i+1:]...)
	}
	s.runs = nil
}

// answer is what a command or read came to.
type answer struct {
	rep any
	err error
}

// do asks all at once and plays until the answers are there.
func (s *stage) do(cmds ...any) ([]answer, error) {
	out, missing := make([]answer, len(cmds)), len(cmds)
	for i, cmd := range cmds {
		s.queue = append(s.queue, func() {
			s.handle(input{cmd: cmd, read: isRead(cmd), reply: func(r any, e error) {
				out[i] = answer{r, e}
				missing--
			}})
		})
	}
	for missing > 0 {
		switch {
		case s.down:
			s.kill()
			return nil, errDown
		case !s.step():
			s.t.Fatalf("%d of %d, %T first, are never answered", missing, len(cmds), cmds[0])
		}
	}
	return out, nil
}

// play does a part of a play.
func (s *stage) play(group []any) ([]answer, error) {
	if _, is := group[0].(idle); is {
		return make([]answer, 1), s.rest()
	}
	return s.do(group...)
}

// quiet plays until nothing is under way, flushed and settled.
func (s *stage) quiet() error {
	for {
		for s.step() {
			if s.down {
				s.kill()
				return errDown
			}
		}
		if s.phase == dead {
			s.t.Fatalf("the activation ended: %v", s.cause)
		}
		if s.settle() {
			return nil
		}
	}
}

// kill is the end of the process: what was under way gets no further.
func (s *stage) kill() {
	s.down = true
	s.end()
	for len(s.fibers) > 0 {
		s.proceed(0)
	}
}
