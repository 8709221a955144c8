package edge

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/service"
)

// StatsConfig says where requests are counted.
type StatsConfig struct {
	Requests *prometheus.CounterVec // route, method, status
	InFlight prometheus.Gauge
}

// Stats counts requests by how they ended, and those that have not yet.
func Stats(cfg StatsConfig) Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		cfg.InFlight.Inc()
		c.OnDone(func(d Done) {
			cfg.InFlight.Dec()
			cfg.Requests.WithLabelValues(c.Route.Name, methodLabel(c.HTTP.Method), class(d)).Inc()
		})
		return next(ctx, c)
	}
}

var classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}

// class is the label of an outcome. A client that went away is no failure.
func class(d Done) string {
	if d.HungUp {
		return "hung_up"
	}
	if n := d.Status / 100; n > 0 && n < len(classes) {
		return classes[n]
	}
	return classes[0]
}
