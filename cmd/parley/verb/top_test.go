package verb

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/cmd/parley/system"
)

// Rates are differences by time, means differences by number, levels as they are.
func TestTop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewRegistry()
		requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "parley_gateway_requests_total"}, []string{"route", "status"})
		ops := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "parley_store_op_seconds"}, []string{"op", "outcome"})
		streams := prometheus.NewGauge(prometheus.GaugeOpts{Name: "parley_gateway_streams"})
		memory := prometheus.NewGauge(prometheus.GaugeOpts{Name: "process_resident_memory_bytes"})
		puts := prometheus.NewCounter(prometheus.CounterOpts{Name: "parley_blob_puts_total"})
		registry.MustRegister(requests, ops, streams, memory, puts)
		requests.WithLabelValues("a", "2xx").Add(100)
		ops.WithLabelValues("commit", "ok").Observe(100)
		memory.Set(3 << 19)
		s := &system.System{Now: time.Now, Gather: registry}
		go func() {
			time.Sleep(time.Second)
			requests.WithLabelValues("a", "2xx").Add(7)
			requests.WithLabelValues("b", "5xx").Add(3)
			ops.WithLabelValues("commit", "ok").Observe(0.25)
			ops.WithLabelValues("commit", "failed").Observe(0.75)
			ops.WithLabelValues("read", "ok").Observe(8)
			streams.Set(4)
		}()
		var out bytes.Buffer
		v := &Top{Every: 2 * time.Second, Once: true, JSON: true}
		if err := v.Run(t.Context(), s, IO{Out: &out}); err != nil {
			t.Fatal(err)
		}
		var got view
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Seconds != 2 || len(got.Figures) != 28 {
			t.Fatalf("got %s, %v", &out, err)
		}
		for name, want := range map[string]float64{
			"requests_per_second": 5, "failed_requests_per_second": 1.5, "commit_seconds": 0.5, "event_streams": 4, "resident_bytes": 3 << 19,
		} {
			if f := got.Figures[name]; f == nil || *f != want {
				t.Errorf("%s: got %v, want %v in %s", name, f, want, &out)
			}
		}
		if f := got.Figures["blob_syncs_per_second"]; f == nil || *f != 0 { // nothing happened to it yet
			t.Errorf("of those that are there: got %v", f)
		}
		if f := got.Figures["commits_per_second"]; f != nil {
			t.Errorf("a figure that is not there: got %v", *f)
		}
		table := strings.Join(strings.Fields(got.table()), " ")
		for _, want := range []string{", 2.0 s ", "requests/s 5.0", "memory 1.5 MiB", "commits/s -"} {
			if !strings.Contains(table, want) {
				t.Errorf("no %q in\n%s", want, table)
			}
		}
	})
}

// Top goes on until it is interrupted, which is no failure.
func TestTopUntilInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		var out, screen bytes.Buffer
		v := &Top{Every: time.Second}
		s := &system.System{Now: time.Now, Gather: prometheus.NewRegistry()}
		if err := v.Run(ctx, s, IO{Out: &out, Diag: &screen, Terminal: true}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(screen.String(), anew); n != 3 || out.Len() > 0 {
			t.Errorf("%d screens, and %q", n, &out)
		}
		if err := v.Run(t.Context(), &system.System{}, IO{}); err == nil || !strings.Contains(err.Error(), "no server runs here") {
			t.Errorf("without a server: %v", err)
		}
	})
}
