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
	cancels  map[int64]openStream // the open ones; guarded by mu
	last     int64                // guarded by mu
	draining bool                 // guarded by mu
}

// openStream is an open one, and whose.
type openStream struct {
	cancel  context.CancelFunc
	account parley.AccountID
	token   parley.TokenID
}

func newStreams(most, ofAccount int, gauge prometheus.Gauge) *streams {
	return &streams{most: most, each: edge.NewTally(ofAccount), gauge: gauge, cancels: map[int64]openStream{}}
}

// open takes a place; without one the client comes back later, as told. cancel
// ends the stream; closed, called once, gives the place back.
func (s *streams) open(who parley.Identity, cancel context.CancelFunc) (closed func(), err error) {
	a := who.Account
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
	s.cancels[id] = openStream{cancel, a, who.Token}
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
	for _, open := range s.cancels {
		open.cancel()
	}
}

// revoke ends the streams that live by a token, or by any of an account when none
// is named: whoever lost the right to read must not go on hearing.
func (s *streams) revoke(a parley.AccountID, token parley.TokenID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, open := range s.cancels {
		if open.token == token && token != "" || token == "" && open.account == a {
			open.cancel()
		}
	}
}

func (s *streams) isDraining() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draining
}
