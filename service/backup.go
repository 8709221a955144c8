package service

import (
	"context"
	"errors"
	"time"

	"github.com/parley-im/parley/service/future"
)

// BackupConfig says when a slow request is made a second time.
type BackupConfig struct {
	Percentile int           // of lately seen latencies, after which it is slow; 0 means 95
	Window     time.Duration // of these latencies; 0 means 30 s
	Least      int           // latencies seen before the first back-up request; 0 means 100
	Floor      time.Duration // what is faster is never slow; 0 means 1 ms
	Budget     *Budget       // of extra requests; nil: one of its own, of 10 percent
	Sent, Won  Counter       // back-up requests, and those that were faster; nil counts nowhere
}

func (cfg BackupConfig) withDefaults() BackupConfig {
	if cfg.Percentile <= 0 || cfg.Percentile > 100 {
		cfg.Percentile = 95
	}
	if cfg.Window <= 0 {
		cfg.Window = 30 * time.Second
	}
	if cfg.Least <= 0 {
		cfg.Least = 100
	}
	if cfg.Floor <= 0 {
		cfg.Floor = time.Millisecond
	}
	if cfg.Budget == nil {
		cfg.Budget = NewBudget(BudgetConfig{})
	}
	return cfg
}

// errSlower is what the context of the loser ends with.
var errSlower = errors.New("service: another request was faster")

// Backup makes a request again that takes longer than most did lately, and takes
// the answer that comes first (Dean and Barroso, The Tail at Scale, 2013; in the
// paper on servers as functions, appendix A). The other is cancelled and not
// waited for. A failure that is Unavailable is no answer while the other may yet
// bring one. It stands, like Retry, only in front of what is safe to repeat.
//
// The extra load is bounded by the budget, and none is made until enough was
// seen. failsafe-go's hedge policy runs its attempts on goroutines where a panic
// ends the process.
func Backup[Req, Rep any](cfg BackupConfig) SimpleFilter[Req, Rep] {
	cfg = cfg.withDefaults()
	seen := newLatencies(cfg.Window)
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (Rep, error) {
		cfg.Budget.Deposit()
		first := timed[Req, Rep](seen).AndThen(next)
		delay, n := seen.quantile(cfg.Percentile, time.Now())
		if n < cfg.Least {
			return first(ctx, request)
		}
		// The services obey ctx, and an answer that comes late is still the answer:
		// here nothing stops to wait before they do.
		wait := context.WithoutCancel(ctx)
		reply := first.Go(ctx, request)
		kept := future.Share(reply) // lives on when the time is over
		_, _ = future.Within(reply, max(delay, cfg.Floor)).Await(wait)
		if _, done, _ := kept.Poll(); done || ctx.Err() != nil || !cfg.Budget.Withdraw() {
			return kept.Await(wait)
		}
		inc(cfg.Sent)
		return race(wait, kept, next.Go(ctx, request), cfg.Won)
	}
}

// race takes the better of two answers: the first, unless that is no answer.
func race[Rep any](ctx context.Context, first, second *future.Future[Rep], won Counter) (Rep, error) {
	s, err := future.Select(first, second).Await(ctx)
	if err != nil {
		return s.Value, err
	}
	other, index := s.Rest[0], s.Index
	if unavailable(s.Err) {
		if reply, err := other.Await(ctx); !unavailable(err) {
			s.Value, s.Err, index = reply, err, 1-index
		}
	}
	other.Raise(errSlower)
	if index == 1 && !unavailable(s.Err) {
		inc(won)
	}
	return s.Value, s.Err
}

// timed notes how long requests take. What fails without an answer says nothing,
// unless it was ended for being slow: then it would have taken at least as long.
func timed[Req, Rep any](seen *latencies) SimpleFilter[Req, Rep] {
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (Rep, error) {
		start := time.Now()
		reply, err := next(ctx, request)
		if now := time.Now(); !peerFailed(err) || ctx.Err() != nil {
			seen.add(now.Sub(start), now)
		}
		return reply, err
	}
}
