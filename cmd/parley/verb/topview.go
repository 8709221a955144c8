package verb

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// figure is one line of top. Each comes from a metric that /metrics has too.
type figure struct {
	name   string // in JSON
	label  string
	metric string
	per    string // rate: by time; mean: a histogram's sum by its count; level: as it is
	bytes  bool
}

const (
	level = ""
	rate  = "second"
	mean  = "event"
)

// figures are in groups, which an empty one parts.
var figures = [...]figure{
	{"requests_per_second", "requests/s", "parley_gateway_requests_total", rate, false},
	{"failed_requests_per_second", "of these 5xx", `parley_gateway_requests_total{status="5xx"}`, rate, false},
	{"requests_in_flight", "requests in flight", "parley_gateway_in_flight_requests", level, false},
	{"event_streams", "event streams", "parley_gateway_streams", level, false},
	{"mails_per_second", "mails/s", "parley_smtp_delivery_seconds_count", rate, false},
	{"mail_sessions", "mail sessions", "parley_smtp_sessions", level, false},
	{},
	{"live_activations", "live activations", "parley_actors_live_activations", level, false},
	{"open_commands", "commands under way", "parley_actors_open_commands", level, false},
	{"queue_seconds", "seconds in a queue", "parley_actors_queue_seconds", mean, false},
	{"command_seconds", "seconds of a command", "parley_actors_command_seconds", mean, false},
	{"repeated_calls_per_second", "repeated calls/s", "parley_actors_repeated_calls_total", rate, false},
	{"activations_per_second", "activations/s", "parley_actors_activations_total", rate, false},
	{"commits_per_second", "commits/s", "parley_actors_commits_total", rate, false},
	{"actions_per_second", "actions/s", "parley_actors_committed_actions_total", rate, false},
	{"cells_per_second", "cells/s", "parley_actors_committed_cells_total", rate, false},
	{"fetches_per_second", "fetches/s", "parley_actors_fetches_total", rate, false},
	{},
	{"commit_seconds", "seconds of a commit", `parley_store_op_seconds{op="commit"}`, mean, false},
	{"store_syncs_per_second", "store syncs/s", "parley_store_wal_syncs_total", rate, false},
	{"blob_syncs_per_second", "blob syncs/s", "parley_blob_syncs_total", rate, false},
	{"compaction_debt_bytes", "compaction queued", "parley_store_compaction_debt_bytes", level, true},
	{"store_cache_bytes", "store cache", "parley_store_cache_bytes", level, true},
	{"store_disk_bytes", "store on disk", "parley_store_disk_bytes", level, true},
	{"free_bytes", "disk free", "parley_store_free_bytes", level, true},
	{},
	{"resident_bytes", "memory", "process_resident_memory_bytes", level, true},
	{"heap_bytes", "of this heap", "go_memstats_heap_inuse_bytes", level, true},
	{"goroutines", "goroutines", "go_goroutines", level, false},
	{"cpus", "processors busy", "process_cpu_seconds_total", rate, false},
	{"open_files", "open files", "process_open_fds", level, false},
}

// view is what top shows at a time. A figure is nil that the server does not
// have, or that nothing happened to give a mean of.
type view struct {
	At      time.Time           `json:"at"`
	Seconds float64             `json:"seconds"` // that rates and means are of
	Figures map[string]*float64 `json:"figures"`
}

// since is the view at the end of the time between two samples.
func (s sample) since(before sample) view {
	v := view{At: s.at.UTC(), Seconds: s.at.Sub(before.at).Seconds(), Figures: map[string]*float64{}}
	for _, f := range figures {
		if f.name != "" {
			v.Figures[f.name] = f.value(before, s)
		}
	}
	return v
}

// has reports whether whoever counts a metric, as in parley_gateway_, is there.
func (s sample) has(metric string) bool {
	parts := strings.SplitAfterN(metric, "_", 3)
	for name := range s.values {
		if strings.HasPrefix(name, parts[0]+parts[1]) {
			return true
		}
	}
	return false
}

// value is nil where it would be no number.
func (f figure) value(before, now sample) *float64 {
	value, there := now.values[f.metric]
	switch f.per {
	case rate:
		// What nothing happened to yet is not there; its neighbours are.
		there = now.has(f.metric)
		value = (value - before.values[f.metric]) / now.at.Sub(before.at).Seconds()
	case mean:
		name, label, _ := strings.Cut(f.metric, "{")
		sum, count := name+"_sum{"+label, name+"_count{"+label
		n := now.values[count] - before.values[count]
		there = n > 0
		value = (now.values[sum] - before.values[sum]) / n
	}
	if !there || math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	return &value
}

// table is the view for people.
func (v view) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %.1f s\n", v.At.Format(time.DateTime), v.Seconds)
	for _, f := range figures {
		switch value := v.Figures[f.name]; {
		case f.name == "":
			b.WriteByte('\n')
		case value == nil:
			fmt.Fprintf(&b, "%-20s%12s\n", f.label, "-")
		default:
			fmt.Fprintf(&b, "%-20s%12s\n", f.label, f.text(*value))
		}
	}
	return b.String()
}

// text has as many digits as tell something.
func (f figure) text(value float64) string {
	switch {
	case f.bytes && value >= 1<<30:
		return fmt.Sprintf("%.1f GiB", value/(1<<30))
	case f.bytes:
		return fmt.Sprintf("%.1f MiB", value/(1<<20))
	case f.per == level:
		return fmt.Sprintf("%.0f", value)
	case f.per == mean:
		return fmt.Sprintf("%.4f", value)
	}
	return fmt.Sprintf("%.1f", value)
}
