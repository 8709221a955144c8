package service

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/limit"
)

// BulkheadConfig bounds how much runs and waits at once.
type BulkheadConfig struct {
	Op      string        // named in refusals
	Running uint          // requests that run at once; required
	Queue   int           // requests that wait for a place; 0 means none waits
	MaxWait time.Duration // longest wait for a place; 0 means 1 s

	// Code of a refusal: RateLimited where one caller has too much running,
	// 0 means Unavailable, where the server has.
	Code       parley.Code
	RetryAfter time.Duration // told to the refused; 0 means MaxWait
}

// Bulkhead is one pool of places, shared by all services that its filters stand
// in front of, whatever their types.
type Bulkhead struct {
	cfg     BulkheadConfig
	places  bulkhead.Bulkhead[any]
	waiting atomic.Int64
}

// NewBulkhead makes an empty pool.
func NewBulkhead(cfg BulkheadConfig) *Bulkhead {
	if cfg.Running == 0 {
		panic("service: a Bulkhead needs Running")
	}
	if cfg.MaxWait <= 0 {
		cfg.MaxWait = time.Second
	}
	if cfg.Code == 0 {
		cfg.Code = parley.Unavailable
	}
	if cfg.RetryAfter <= 0 {
		cfg.RetryAfter = cfg.MaxWait
	}
	return &Bulkhead{cfg: cfg, places: bulkhead.New[any](cfg.Running)}
}

// Waiting is the length of the queue.
func (b *Bulkhead) Waiting() int { return int(b.waiting.Load()) }

// Acquire waits for a place; release, called once, gives it back. failsafe-go
// bounds the wait but not how many wait, so the queue is counted here.
func (b *Bulkhead) Acquire(ctx context.Context) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, parley.Wrap(parley.Unavailable, b.cfg.Op, err)
	}
	if b.places.TryAcquirePermit() {
		return b.places.ReleasePermit, nil
	}
	if b.waiting.Add(1) > int64(b.cfg.Queue) {
		b.waiting.Add(-1)
		return nil, b.refuse()
	}
	err = b.places.AcquirePermitWithMaxWait(ctx, b.cfg.MaxWait)
	b.waiting.Add(-1)
	switch {
	case err == nil:
		return b.places.ReleasePermit, nil
	case errors.Is(err, bulkhead.ErrFull):
		return nil, b.refuse()
	}
	return nil, parley.Wrap(parley.Unavailable, b.cfg.Op, err)
}

func (b *Bulkhead) refuse() error {
	return limit.Refuse(b.cfg.Code, b.cfg.Op, b.cfg.RetryAfter)
}

// Limit lets a request through when b has a place for it.
func Limit[Req, Rep any](b *Bulkhead) SimpleFilter[Req, Rep] {
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (Rep, error) {
		release, err := b.Acquire(ctx)
		if err != nil {
			var none Rep
			return none, err
		}
		defer release()
		return next(ctx, request)
	}
}
