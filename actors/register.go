package actors

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// register makes metrics and hands them to a registry, if there is one.
type register struct{ to prometheus.Registerer }

const metricPrefix = "parley_actors_"

// latencies are from a tenth of a millisecond to about 26 s.
var latencies = prometheus.ExponentialBuckets(100e-6, 4, 10)

func add[C prometheus.Collector](r register, c C) C {
	if r.to != nil {
		r.to.MustRegister(c)
	}
	return c
}

func (r register) counter(name, help string) prometheus.Counter {
	return add(r, prometheus.NewCounter(prometheus.CounterOpts{Name: metricPrefix + name, Help: help}))
}

func (r register) counters(name, help string, labels ...string) *prometheus.CounterVec {
	return add(r, prometheus.NewCounterVec(prometheus.CounterOpts{Name: metricPrefix + name, Help: help}, labels))
}

func (r register) gauge(name, help string) prometheus.Gauge {
	return add(r, prometheus.NewGauge(prometheus.GaugeOpts{Name: metricPrefix + name, Help: help}))
}

func (r register) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	return add(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: metricPrefix + name, Help: help}, labels))
}

func (r register) seconds(name, help string) prometheus.Histogram {
	return add(r, prometheus.NewHistogram(prometheus.HistogramOpts{Name: metricPrefix + name, Help: help, Buckets: latencies}))
}

func (r register) secondsBy(name, help string, labels ...string) *prometheus.HistogramVec {
	return add(r, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: metricPrefix + name, Help: help, Buckets: latencies}, labels))
}

func (r register) sizes(name, help string) prometheus.Histogram {
	return add(r, prometheus.NewHistogram(prometheus.HistogramOpts{Name: metricPrefix + name, Help: help, Buckets: prometheus.ExponentialBuckets(1, 2, 11)}))
}

// read registers a gauge that is asked when somebody looks.
func (r register) read(name, help string, value func() float64) {
	add(r, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: metricPrefix + name, Help: help}, value))
}

// observer is told how long requests took and how they ended.
type observer func(took time.Duration, err error)

// Observe implements service.Observer.
func (o observer) Observe(_ context.Context, took time.Duration, err error) { o(took, err) }
