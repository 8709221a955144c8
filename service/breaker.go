package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/limit"
)

// BreakerConfig says when a peer is left alone.
type BreakerConfig struct {
	Op      string        // named in refusals
	Percent uint          // of requests failing that opens it, at most 100; 0 means 50
	Least   uint          // requests in Window before it may open; 0 means 20
	Window  time.Duration // over which failures count; 0 means 10 s
	Pause   time.Duration // how long it stays open; 0 means 5 s
	Probes  uint          // requests let through after that, all of which must succeed; 0 means 1
	Opened  Counter       // counts openings; nil counts nowhere

	// Failed says what counts against the peer; nil: Unavailable and Internal.
	Failed func(error) bool
}

// Breaker refuses requests to a peer that mostly fails, so that callers do not
// wait for it and it may recover. One Breaker serves all filters in front of one
// peer. The states are failsafe-go's; what is added is that an answer counts only
// in the state in which its request was let through.
type Breaker struct {
	cfg BreakerConfig

	mu      sync.Mutex // around every use of circuit, so that state is exact
	circuit circuitbreaker.CircuitBreaker[any]
	state   int // number of changes; guarded by mu
}

// NewBreaker makes a closed one, which lets requests through.
func NewBreaker(cfg BreakerConfig) *Breaker {
	cfg.Percent = min(orDefault(cfg.Percent, 50), 100)
	cfg.Least = orDefault(cfg.Least, 20)
	cfg.Window = orDefault(cfg.Window, 10*time.Second)
	cfg.Pause = orDefault(cfg.Pause, 5*time.Second)
	if cfg.Failed == nil {
		cfg.Failed = peerFailed
	}
	b := &Breaker{cfg: cfg}
	b.circuit = circuitbreaker.NewBuilder[any]().
		WithFailureRateThreshold(float64(cfg.Percent)/100, cfg.Least, cfg.Window).
		WithDelay(cfg.Pause).
		WithSuccessThreshold(orDefault(cfg.Probes, 1)).
		OnStateChanged(b.changed).
		Build()
	return b
}

func orDefault[N uint | time.Duration](n, otherwise N) N {
	if n <= 0 {
		return otherwise
	}
	return n
}

func peerFailed(err error) bool {
	return unavailable(err) || err != nil && parley.CodeOf(err) == parley.Internal
}

// changed is called by circuit, with mu held.
func (b *Breaker) changed(e circuitbreaker.StateChangedEvent) {
	b.state++
	if e.NewState == circuitbreaker.OpenState {
		inc(b.cfg.Opened)
	}
}

// admit lets a request through, or says when to come back.
func (b *Breaker) admit() (state int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.circuit.TryAcquirePermit() {
		return b.state, nil
	}
	after := b.circuit.RemainingDelay()
	if after <= 0 { // the probes are under way
		after = b.cfg.Pause
	}
	return 0, limit.Refuse(parley.Unavailable, b.cfg.Op, after)
}

// clean reports that b is closed and has seen no failure for a Window.
func (b *Breaker) clean() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.circuit.IsClosed() && b.circuit.Metrics().Failures() == 0
}

// record counts an outcome. A request whose caller hung up says nothing of the
// peer; if it was a probe, the next one has to wait for another Pause.
func (b *Breaker) record(ctx context.Context, state int, err error) {
	failed := err != nil && b.cfg.Failed(err)
	hungUp := failed && errors.Is(ctx.Err(), context.Canceled)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case state != b.state, hungUp && b.circuit.IsClosed():
	case failed:
		b.circuit.RecordFailure()
	default:
		b.circuit.RecordSuccess()
	}
}

// Guard lets a request through while b is closed. A deadline that passes counts
// against the peer, a panic too.
func Guard[Req, Rep any](b *Breaker) SimpleFilter[Req, Rep] {
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (reply Rep, err error) {
		state, err := b.admit()
		if err != nil {
			return reply, err
		}
		outcome := ErrPanicked
		defer func() { b.record(ctx, state, outcome) }()
		reply, err = next(ctx, request)
		outcome = err
		return reply, err
	}
}
