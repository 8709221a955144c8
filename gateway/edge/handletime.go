package edge

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/service"
)

// HandleTime records how long each request took, the writing of its answer
// included. Streams without end would only tell how long people stay.
func HandleTime(seconds *prometheus.HistogramVec) Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		if c.Route.Timing != Endless {
			c.OnDone(func(d Done) { seconds.WithLabelValues(c.Route.Name).Observe(d.Took.Seconds()) })
		}
		return next(ctx, c)
	}
}
