package embedded

import (
	"context"
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/parley-im/parley/persistence"
)

// meter times the store's operations and reads Pebble's own figures when asked.
type meter struct {
	s  *Store
	op *prometheus.HistogramVec
}

func newMeter(s *Store) *meter {
	return &meter{s: s, op: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "parley_store_op_seconds",
		Help:    "Operations on the store by kind and outcome.",
		Buckets: prometheus.ExponentialBuckets(10e-6, 4, 10), // 10 µs to 2.6 s
	}, []string{"op", "outcome"})}
}

// observe is deferred with the time and the place of the error at entry.
func (m *meter) observe(op string, start time.Time, err *error) {
	m.op.WithLabelValues(op, outcome(*err)).Observe(time.Since(start).Seconds())
}

func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case persistence.Ambiguous(err):
		return "unknown"
	case errors.Is(err, persistence.ErrCheckFailed):
		return "check"
	case errors.Is(err, persistence.ErrNoSpace):
		return "full"
	case errors.Is(err, ErrFailed):
		return "failed"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "ended"
	}
	return "refused"
}

// figure is one of Pebble's figures.
type figure struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(*Store, *pebbleFigures) float64
}

func gauge(name, help string, value func(*Store, *pebbleFigures) float64) figure {
	return figure{prometheus.NewDesc("parley_store_"+name, help, nil, nil), prometheus.GaugeValue, value}
}

func counter(name, help string, value func(*Store, *pebbleFigures) float64) figure {
	return figure{prometheus.NewDesc("parley_store_"+name, help, nil, nil), prometheus.CounterValue, value}
}

var figures = []figure{
	gauge("writable", "1 unless the disk is full or has failed.", func(s *Store, _ *pebbleFigures) float64 {
		if s.Writable() != nil {
			return 0
		}
		return 1
	}),
	gauge("disk_bytes", "Bytes of the store on disk.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.DiskSpaceUsage()) }),
	gauge("free_bytes", "Bytes left on the disk.", func(s *Store, _ *pebbleFigures) float64 {
		use, _ := s.medium.GetDiskUsage(s.medium.dir)
		return float64(use.AvailBytes)
	}),
	gauge("wal_bytes", "Bytes of the log that a restart would replay.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.WAL.Size) }),
	counter("wal_written_bytes_total", "Bytes written to the log.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.WAL.BytesWritten) }),
	counter("wal_syncs_total", "Syncs of the log.", func(_ *Store, p *pebbleFigures) float64 { return p.syncs() }),
	gauge("memtable_bytes", "Bytes of memtables.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.MemTable.Size) }),
	gauge("cache_bytes", "Bytes of the block cache.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.BlockCache.Size) }),
	counter("cache_hits_total", "Blocks found in the cache.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.BlockCache.Hits) }),
	counter("cache_misses_total", "Blocks read from disk.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.BlockCache.Misses) }),
	gauge("compaction_debt_bytes", "Bytes that compaction has still to write.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.Compact.EstimatedDebt) }),
	gauge("read_amplification", "Tables that a read may have to look into.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.ReadAmp()) }),
	gauge("tombstones", "Erased cells that compaction has not removed.", func(_ *Store, p *pebbleFigures) float64 { return float64(p.Keys.TombstoneCount) }),
}

type pebbleFigures struct{ *pebble.Metrics }

func (p *pebbleFigures) syncs() float64 {
	var m dto.Metric
	if p.LogWriter.FsyncLatency == nil || p.LogWriter.FsyncLatency.Write(&m) != nil {
		return 0
	}
	return float64(m.GetHistogram().GetSampleCount())
}

// Describe implements prometheus.Collector.
func (m *meter) Describe(ch chan<- *prometheus.Desc) {
	m.op.Describe(ch)
	for _, f := range figures {
		ch <- f.desc
	}
}

// Collect implements prometheus.Collector. A closed store has only its operations.
func (m *meter) Collect(ch chan<- prometheus.Metric) {
	m.op.Collect(ch)
	if m.s.enter(context.Background()) != nil {
		return
	}
	defer m.s.running.Done()
	p := &pebbleFigures{m.s.db.Metrics()}
	for _, f := range figures {
		ch <- prometheus.MustNewConstMetric(f.desc, f.kind, f.value(m.s, p))
	}
}
