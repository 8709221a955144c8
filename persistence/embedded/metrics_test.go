package embedded

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

func TestMetrics(t *testing.T) {
	reg := prometheus.NewPedanticRegistry()
	fs := crashfs.New(1)
	s, err := Open(Config{Dir: "/store", FS: fs, Metrics: reg, Reserve: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	mustPut(t, s, 1, 1, "v")
	s.Commit(t.Context(), persistence.Mailbox, rowN(1), persistence.Check{Family: persistence.Log, Qualifier: []byte("q")}, one(2, "w"))
	got := gather(t, reg)
	for name, want := range map[string]float64{
		"parley_store_writable": 1, "parley_store_op_seconds put ok": 1, "parley_store_op_seconds commit check": 1,
	} {
		if got[name] != want {
			t.Errorf("%s: got %v, want %v", name, got[name], want)
		}
	}
	for _, name := range []string{"parley_store_disk_bytes", "parley_store_wal_syncs_total", "parley_store_wal_written_bytes_total"} {
		if got[name] <= 0 {
			t.Errorf("%s: got %v, want more than 0", name, got[name])
		}
	}
	fs.SetSpace(0)
	if got := gather(t, reg)["parley_store_writable"]; got != 0 {
		t.Errorf("writable on a full disk: got %v, want 0", got)
	}
	fs.SetSpace(-1)
	closed(t, s)
	if got := gather(t, reg); len(got) != 0 {
		t.Errorf("after close: got %v, want nothing", got)
	}
}

// gather reads each figure by its name and label values; of histograms the count.
func gather(t *testing.T, reg *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for _, f := range families {
		for _, m := range f.Metric {
			name := f.GetName()
			for _, l := range m.Label {
				name += " " + l.GetValue()
			}
			got[name] = m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return got
}
