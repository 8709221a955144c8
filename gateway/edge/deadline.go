package edge

import (
	"context"
	"time"

	"github.com/parley-im/parley/service"
)

// Deadline ends a request that takes too long. It differs from service.Timeout
// in that an answer still has to be written when the service returns, so the
// context lives until that is done.
func Deadline(quick, transfer time.Duration) Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		limit := quick
		switch c.Route.Timing {
		case Transfer:
			limit = transfer
		case Endless:
			return next(ctx, c)
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		c.OnDone(func(Done) { cancel() })
		return next(ctx, c)
	}
}
