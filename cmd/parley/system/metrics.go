package system

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/blob"
)

// countBlobs registers what the blobs count; they know no metrics themselves.
func countBlobs(to prometheus.Registerer, blobs *blob.Volumes) error {
	for _, c := range []struct {
		name, help string
		value      func(blob.Counters) int64
	}{
		{"puts_total", "Blobs that were put, those that were here already included.", func(c blob.Counters) int64 { return c.Puts }},
		{"appended_bytes_total", "Bytes that became durable.", func(c blob.Counters) int64 { return c.Appended }},
		{"syncs_total", "Syncs of volumes and their folder.", func(c blob.Counters) int64 { return c.Syncs }},
		{"reads_total", "Blobs that were opened.", func(c blob.Counters) int64 { return c.Reads }},
		{"disk_reads_total", "Reads of a volume for blobs.", func(c blob.Counters) int64 { return c.DiskReads }},
		{"damaged_total", "Reads that failed their checksums.", func(c blob.Counters) int64 { return c.Damaged }},
		{"ended_total", "Blobs that nobody named any more and that a sweep ended.", func(c blob.Counters) int64 { return c.Ended }},
		{"freed_bytes_total", "Bytes that compactions gave back.", func(c blob.Counters) int64 { return c.Freed }},
	} {
		counter := prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "parley", Subsystem: "blob", Name: c.name, Help: c.help},
			func() float64 { return float64(c.value(blobs.Counters())) })
		if err := to.Register(counter); err != nil {
			return err
		}
	}
	return nil
}
