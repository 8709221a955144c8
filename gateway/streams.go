package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/internal/limit"
)

// streams bounds the open streams, of each account and of all, and ends them
// when the server drains.
type streams struct {
	most  int
	each  *edge.Tally
	gauge prometheus.Gauge

	mu       sync.Mutex
	cancels  map[int64]context.CancelFunc // of the open ones; guarded by mu
	last     int64                        // guarded by mu
	draining bool                         // guarded by mu
}

func newStreams(most, ofAccount int, gauge prometheus.Gauge) *streams {
	return &streams{most: most, each: edge.NewTally(ofAccount), gauge: gauge, cancels: map[int64]context.CancelFunc{}}
}

// open takes a place; without one the client comes back later, as told. cancel
// ends the stream; closed, called once, gives the place back.
func (s *streams) open(a parley.AccountID, cancel context.CancelFunc) (closed func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.draining:
		return nil, parley.E(parley.Unavailable, "gateway.streams", "")
	case len(s.cancels) >= s.most:
		return nil, limit.Refuse(parley.RateLimited, "gateway.streams", 30*time.Second)
	case !s.each.Add(a):
		return nil, limit.Refuse(parley.RateLimited, "gateway.streams", 10*time.Second)
	}
	s.last++
	id := s.last
	s.cancels[id] = cancel
	s.gauge.Inc()
	return func() { s.close(id, a) }, nil
}

func (s *streams) close(id int64, a parley.AccountID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.cancels, id)
	s.each.Drop(a)
	s.gauge.Dec()
}

func (s *streams) drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining = true
	for _, cancel := range s.cancels {
		cancel()
	}
}

func (s *streams) isDraining() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draining
}
