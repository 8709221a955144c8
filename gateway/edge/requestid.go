package edge

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// RequestID names each request. A name from the client is not taken: it could
// repeat, or lead a reader of the log astray; traceparent is for joining traces.
func RequestID(newID func() string) Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		c.ID = newID()
		return next(parley.WithRequest(ctx, c.ID), c)
	}
}
