package service

import (
	"context"
	"errors"
	"time"

	"github.com/parley-im/parley"
)

// errTimeout marks a context that a Timeout ended, not its caller.
var errTimeout = errors.New("service: took longer than this service allows")

// Timeout gives a request at most limit: an earlier deadline of the caller stays,
// a later one is shortened. A request whose time is already over is refused
// before any work. An answer that comes late is still the answer, since what it
// reports may be durable; only a failure for want of time becomes Unavailable.
//
// It sets a deadline and leaves obeying it to the service, as failsafe-go's
// timeout does, but there the context is cancelled without a deadline that
// clients further in could pass on, and a late success is replaced by an error.
func Timeout[Req, Rep any](op string, limit time.Duration) SimpleFilter[Req, Rep] {
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (Rep, error) {
		var none Rep
		if err := ctx.Err(); err != nil {
			return none, parley.Wrap(parley.Unavailable, op, err)
		}
		inner, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
		defer cancel()
		reply, err := next(inner, request)
		if err != nil && inner.Err() != nil && isContext(err) {
			cause := errors.Join(context.Cause(inner), err)
			return none, parley.Wrap(parley.Unavailable, op, cause)
		}
		return reply, err
	}
}

func isContext(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
