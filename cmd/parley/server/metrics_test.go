package server

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/internal/datadir"
)

var rewrite = flag.Bool("rewrite", false, "write docs/metrics.md anew")

const metricsPage = "../../../docs/metrics.md"

// TestMetricsPage holds docs/metrics.md to what a server registers: each metric
// has its row and no row is without its metric.
func TestMetricsPage(t *testing.T) {
	page, err := os.ReadFile(metricsPage)
	if err != nil && !*rewrite {
		t.Fatal(err)
	}
	head, _, found := strings.Cut(string(page), "\n| metric |")
	if !found {
		t.Fatalf("%s has no table", metricsPage)
	}
	want := head + "\n| metric | labels | what it says |\n|---|---|---|\n" + strings.Join(metricRows(t), "")
	if *rewrite {
		if err := os.WriteFile(metricsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Errorf("docs/metrics.md is not what a server registers; go test ./cmd/parley/server -run TestMetricsPage -rewrite writes\n%s", want)
	}
}

var described = regexp.MustCompile(`^Desc\{fqName: "(.*?)", help: "(.*?)"(?:, unit: ".*?")?, constLabels: \{.*?\}, variableLabels: \{(.*?)\}\}$`)

// metricRows describes everything that a server with every door registers.
func metricRows(t *testing.T) []string {
	descs := make(chan *prometheus.Desc, 1000)
	opened(t).registry.Describe(descs)
	close(descs)
	var rows []string
	for d := range descs {
		m := described.FindStringSubmatch(d.String())
		if m == nil {
			t.Fatalf("a description of another form: %s", d)
		}
		if !strings.HasPrefix(m[1], "parley_") {
			continue // go_ and process_ are the client library's
		}
		if m[2] == "" {
			t.Errorf("%s has no help", m[1])
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |\n", m[1], strings.ReplaceAll(m[3], ",", ", "), m[2]))
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

func opened(t *testing.T) *Server {
	d, err := datadir.Open(datadir.Config{Path: t.TempDir(), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Default()
	settings.HTTP.Listen, settings.LMTP.Listen, settings.Admin.Listen = "127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0"
	s, err := Open(Config{Dir: d, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := s.patience()
		defer cancel()
		if err := s.closeListeners(); err != nil {
			t.Error(err)
		}
		if err := s.sys.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}
