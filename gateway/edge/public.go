package edge

import (
	"context"

	"github.com/parley-im/parley/service"
)

// Public answers the routes that anybody may ask for; what passes it needs a user.
func Public() Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		if c.Route.open != nil {
			return c.Route.open(ctx, c)
		}
		return next(ctx, c)
	}
}
