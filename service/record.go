package service

import (
	"context"
	"errors"
	"time"
)

// Observer is told of each finished request. It runs on the request's own
// goroutine, so it is quick.
type Observer interface {
	// Observe gets nil for an answer; errmap.Label makes a metric label of either.
	Observe(ctx context.Context, took time.Duration, err error)
}

// ErrPanicked is what an Observer sees of a panic on its way out to a Recover
// further out.
var ErrPanicked = errors.New("service: panicked")

// Record reports duration and outcome of every request, also of one that panics.
func Record[Req, Rep any](o Observer) SimpleFilter[Req, Rep] {
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (reply Rep, err error) {
		start := time.Now()
		outcome := ErrPanicked
		defer func() { o.Observe(ctx, time.Since(start), outcome) }()
		reply, err = next(ctx, request)
		outcome = err
		return reply, err
	}
}
