package service

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/parley-im/parley"
)

// RetryConfig says when a request is made again.
type RetryConfig struct {
	Attempts  int              // in all; 0 means 3
	Delay     time.Duration    // longest first pause, doubled each time; 0 means 50 ms
	MaxDelay  time.Duration    // longest pause at all; 0 means 2 s
	Budget    *Budget          // of extra requests; nil: one of its own
	Retryable func(error) bool // nil: the code is Unavailable
	Random    func() float64   // in [0, 1), for the pauses; nil: math/rand
	Retries   Counter          // counts the extra requests; nil counts nowhere
}

func (cfg RetryConfig) withDefaults() RetryConfig {
	if cfg.Attempts <= 0 {
		cfg.Attempts = 3
	}
	if cfg.Delay <= 0 {
		cfg.Delay = 50 * time.Millisecond
	}
	if cfg.MaxDelay <= 0 {
		cfg.MaxDelay = 2 * time.Second
	}
	if cfg.Budget == nil {
		cfg.Budget = NewBudget(BudgetConfig{})
	}
	if cfg.Retryable == nil {
		cfg.Retryable = unavailable
	}
	if cfg.Random == nil {
		cfg.Random = rand.Float64
	}
	return cfg
}

func unavailable(err error) bool { return err != nil && parley.CodeOf(err) == parley.Unavailable }

// Retry makes a request again that may do better. It stands only in front of
// requests that are safe to repeat: reads, and commands with an id, since what is
// Unavailable may have happened. The pause before is a random part of Delay,
// doubled from one to the next, so that clients do not come back together; a
// refusal that says when to come back is waited for. No retry is made, and the
// last failure returned at once, when the budget is used up, when the pause would
// pass the deadline, or when the peer asks for more than MaxDelay.
func Retry[Req, Rep any](cfg RetryConfig) SimpleFilter[Req, Rep] {
	cfg = cfg.withDefaults()
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (Rep, error) {
		cfg.Budget.Deposit()
		for attempt := 1; ; attempt++ {
			reply, err := next(ctx, request)
			if err == nil || attempt == cfg.Attempts || !cfg.Retryable(err) {
				return reply, err
			}
			if !cfg.pause(ctx, attempt, err) {
				return reply, err
			}
			inc(cfg.Retries)
		}
	}
}

// pause waits before the next attempt and reports whether it may be made.
func (cfg RetryConfig) pause(ctx context.Context, attempt int, err error) bool {
	longest := min(cfg.Delay<<min(attempt-1, 20), cfg.MaxDelay)
	pause := time.Duration(cfg.Random() * float64(longest))
	var refusal interface{ RetryAfter() time.Duration }
	if errors.As(err, &refusal) {
		pause = max(pause, refusal.RetryAfter())
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
		return false
	}
	if pause > cfg.MaxDelay || ctx.Err() != nil || !cfg.Budget.Withdraw() {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func inc(c Counter) {
	if c != nil {
		c.Inc()
	}
}
