package gateway

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics of the edge. Labels are route names, methods and classes of status.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	streams  prometheus.Gauge
	panics   prometheus.Counter
}

func newMetrics(reg prometheus.Registerer) (metrics, error) {
	m := metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "parley_gateway_requests_total", Help: "Requests by how they ended."}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "parley_gateway_request_seconds", Help: "Time from a request to the end of its answer, streams of events apart.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 12),
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_gateway_in_flight_requests", Help: "Requests being answered, streams included."}),
		streams:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_gateway_streams", Help: "Open streams of events."}),
		panics:   prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_gateway_panics_total", Help: "Broken invariants met while answering."}),
	}
	if reg == nil {
		return m, nil
	}
	var errs []error
	for _, c := range []prometheus.Collector{m.requests, m.seconds, m.inFlight, m.streams, m.panics} {
		errs = append(errs, reg.Register(c))
	}
	return m, errors.Join(errs...)
}
