package smtp

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics of the door. Labels are the verbs of verbs, and classes of replies.
type metrics struct {
	sessions  prometheus.Gauge
	refused   prometheus.Counter
	replies   *prometheus.CounterVec
	commands  *prometheus.HistogramVec
	delivery  prometheus.Histogram
	bytes     prometheus.Histogram
	panics    prometheus.Counter
	discarded prometheus.Counter
}

func newMetrics(reg prometheus.Registerer) metrics {
	m := metrics{
		sessions:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_smtp_sessions", Help: "Open sessions."}),
		refused:   prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_smtp_refused_sessions_total", Help: "Sessions answered 421 in place of a greeting."}),
		replies:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "parley_smtp_replies_total", Help: "Replies by command and class; a message has one per recipient."}, []string{"verb", "class"}),
		commands:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "parley_smtp_command_seconds", Help: "Time from a command to its last reply, message content included.", Buckets: prometheus.ExponentialBuckets(0.0005, 3, 12)}, []string{"verb"}),
		delivery:  prometheus.NewHistogram(prometheus.HistogramOpts{Name: "parley_smtp_delivery_seconds", Help: "Time from the end of a message to its answers.", Buckets: prometheus.ExponentialBuckets(0.0005, 3, 12)}),
		bytes:     prometheus.NewHistogram(prometheus.HistogramOpts{Name: "parley_smtp_message_bytes", Help: "Sizes of messages that came whole.", Buckets: prometheus.ExponentialBuckets(1024, 4, 10)}),
		panics:    prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_smtp_panics_total", Help: "Broken invariants met in sessions."}),
		discarded: prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_smtp_unfinished_messages_total", Help: "Messages whose client went away, was too slow or gave up."}),
	}
	if reg != nil {
		reg.MustRegister(m.sessions, m.refused, m.replies, m.commands, m.delivery, m.bytes, m.panics, m.discarded)
	}
	return m
}

func (m *metrics) reply(verb string, class byte) {
	m.replies.WithLabelValues(verb, string(class)+"xx").Inc()
}

// verbs are those that have a label of their own; others are "other", and what
// nobody asked for, such as the greeting, is "session".
func verbs() []string {
	return []string{"LHLO", "HELO", "EHLO", "MAIL", "RCPT", "DATA", "BDAT", "RSET", "NOOP", "QUIT", "VRFY", "AUTH"}
}

// printer is the log of go-smtp: its panics are ours to look at, the rest says
// how clients went away.
type printer struct{ log *slog.Logger }

func (p printer) Printf(format string, args ...any) {
	if strings.HasPrefix(format, "panic") {
		p.log.Error("a session panicked", "error", fmt.Sprintf(format, args...))
		return
	}
	p.log.Info("a session or listener had trouble", "error", fmt.Sprintf(format, args...))
}

func (p printer) Println(args ...any) { p.Printf("%s", fmt.Sprint(args...)) }
