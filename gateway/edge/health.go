package edge

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/parley-im/parley/service"
)

// StatusRoute is the name of the route that Health answers.
const StatusRoute = "getStatus"

// HealthConfig says what to look at.
type HealthConfig struct {
	Version  string
	Checks   map[string]func(context.Context) error // by the part they ask
	Timeout  time.Duration                          // of one check
	Fresh    time.Duration                          // how long an outcome is shown, so that strangers cannot make work
	Draining func() bool
	Now      func() time.Time
}

// Status is how the server is.
type Status struct {
	Status  string            `json:"status"`
	Version string            `json:"version,omitempty"`
	Time    time.Time         `json:"time"`
	Checks  map[string]string `json:"checks"` // no causes: anybody may ask
}

type health struct {
	HealthConfig
	mu      sync.Mutex // one round of checks at a time; guards the rest
	checks  map[string]string
	at      time.Time
	running map[string]chan error
}

// Health answers the status route before anything that needs a store, a host
// name or a limit, so that a probe tells a sick server from a dead one.
func Health(cfg HealthConfig) Filter {
	h := &health{HealthConfig: cfg, running: map[string]chan error{}}
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		if c.Route.Name != StatusRoute {
			return next(ctx, c)
		}
		return h.answer(ctx), nil
	}
}

func (h *health) answer(ctx context.Context) *Reply {
	s := Status{Status: "ok", Version: h.Version, Time: h.Now().UTC(), Checks: h.look(ctx)}
	for _, outcome := range s.Checks {
		if outcome != "ok" {
			s.Status = "degraded"
		}
	}
	if h.Draining() {
		s.Status = "draining"
		return (&Reply{Status: http.StatusServiceUnavailable, Body: s}).Set("Retry-After", "5")
	}
	return OK(s)
}

func (h *health) look(ctx context.Context) map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := h.Now(); h.checks == nil || now.Sub(h.at) >= h.Fresh {
		// Not the asker's context: who hangs up must not make parts look sick.
		h.checks, h.at = h.ask(context.WithoutCancel(ctx)), now
	}
	return maps.Clone(h.checks)
}

// ask runs all checks at once. One that does not obey its time is waited for
// again the next time, not started again.
func (h *health) ask(ctx context.Context) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	for name, check := range h.Checks {
		if h.running[name] == nil {
			outcome := make(chan error, 1)
			h.running[name] = outcome
			go func() { outcome <- check(ctx) }()
		}
	}
	checks := make(map[string]string, len(h.Checks))
	for name := range h.Checks {
		checks[name] = "failed"
		select {
		case err := <-h.running[name]:
			delete(h.running, name)
			if err == nil {
				checks[name] = "ok"
			}
		case <-ctx.Done():
		}
	}
	return checks
}
