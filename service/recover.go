package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service/future"
)

// Counter counts; a prometheus.Counter is one.
type Counter interface{ Inc() }

// PanicError is a panic that became an error. It was counted and logged where it
// was caught: whoever logs failures further out can leave its stack alone.
type PanicError struct{ Value any }

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap gives the error that was thrown, if it was one.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// RecoverConfig says where a panic shows.
type RecoverConfig struct {
	Op     string       // named in the error and the log
	Log    *slog.Logger // nil discards
	Panics Counter      // nil counts nowhere
}

// Recover turns a panic into an Internal error, so that one broken invariant
// costs one request. The stack is logged once, by the innermost Recover, and
// never the request: it may hold a message.
func Recover[Req, Rep any](cfg RecoverConfig) SimpleFilter[Req, Rep] {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (reply Rep, err error) {
		defer func() {
			if v := recover(); v != nil {
				var none Rep
				reply, err = none, cfg.caught(ctx, v, debug.Stack())
			}
		}()
		reply, err = next(ctx, request)
		var elsewhere *future.PanicError
		if errors.As(err, &elsewhere) {
			err = cfg.caught(ctx, elsewhere.Value, elsewhere.Stack)
		}
		return reply, err
	}
}

func (cfg RecoverConfig) caught(ctx context.Context, v any, stack []byte) error {
	cfg.Log.ErrorContext(ctx, "panic", "op", cfg.Op, "value", fmt.Sprint(v), "stack", string(stack))
	if cfg.Panics != nil {
		cfg.Panics.Inc()
	}
	// Not Wrap: a code inside the thrown value was not meant as this answer.
	return &parley.Error{Code: parley.Internal, Op: cfg.Op, Err: &PanicError{Value: v}}
}
