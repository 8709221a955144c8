package gateway

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/internal/limit"
)

// streams bounds the open streams, of each account and of all.
type streams struct {
	most  int64
	all   atomic.Int64
	each  *edge.Tally
	gauge prometheus.Gauge
}

func newStreams(most, ofAccount int, gauge prometheus.Gauge) *streams {
	return &streams{most: int64(most), each: edge.NewTally(ofAccount), gauge: gauge}
}

// open takes a place; without one the client comes back later, as told.
func (s *streams) open(a parley.AccountID) error {
	if s.all.Add(1) > s.most {
		s.all.Add(-1)
		return limit.Refuse(parley.RateLimited, "gateway.streams", 30*time.Second)
	}
	if !s.each.Add(a) {
		s.all.Add(-1)
		return limit.Refuse(parley.RateLimited, "gateway.streams", 10*time.Second)
	}
	s.gauge.Inc()
	return nil
}

func (s *streams) close(a parley.AccountID) {
	s.all.Add(-1)
	s.each.Drop(a)
	s.gauge.Dec()
}
