package embedded

import (
	"encoding/binary"
	"fmt"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

func openDisk(b *testing.B, noSync bool) (*Store, *crashfs.FS) {
	b.Helper()
	fs := crashfs.Over(vfs.Default)
	s, err := Open(Config{Dir: b.TempDir(), FS: fs, NoSync: noSync})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s, fs
}

// mailCommit is what a delivered message costs a row: fence check, an action with its body, two entities.
func mailCommit(version uint64, body []byte) (persistence.Check, []persistence.Cell) {
	q := binary.BigEndian.AppendUint64(nil, version)
	return persistence.Check{Family: persistence.Log, Qualifier: []byte("fence"), Want: []byte("held")}, []persistence.Cell{
		{Family: persistence.Log, Qualifier: q, Version: version, Value: body},
		{Family: persistence.Meta, Qualifier: append([]byte("t"), q...), Version: version, Value: body[:200]},
		{Family: persistence.Meta, Qualifier: []byte("counts"), Version: version, Value: body[:100]},
	}
}

// BenchmarkCommit gives each caller a row. ns/op is of all callers together.
func BenchmarkCommit(b *testing.B) {
	for _, noSync := range []bool{false, true} {
		for _, callers := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("sync=%t/callers=%d", !noSync, callers), func(b *testing.B) {
				s, fs := openDisk(b, noSync)
				for i := range callers {
					fence := []persistence.Cell{{Family: persistence.Log, Qualifier: []byte("fence"), Version: 1, Value: []byte("held")}}
					if err := s.Put(b.Context(), persistence.Mailbox, rowN(i), fence); err != nil {
						b.Fatal(err)
					}
				}
				body := []byte(noise(1500))
				before, n := fs.Syncs(), 0
				b.ReportAllocs()
				next := make(chan uint64, callers)
				var all sync.WaitGroup
				for i := range callers {
					all.Go(func() {
						for version := range next {
							check, cells := mailCommit(version, body)
							if err := s.Commit(b.Context(), persistence.Mailbox, rowN(i), check, cells); err != nil {
								b.Error(err)
							}
						}
					})
				}
				for b.Loop() {
					n++
					next <- uint64(n) + 1
				}
				close(next)
				all.Wait()
				if syncs := fs.Syncs() - before; syncs > 0 {
					b.ReportMetric(float64(n)/float64(syncs), "commits/sync")
				}
			})
		}
	}
}

// BenchmarkRead reads from a store of 2,000 rows with 50 messages each, flushed.
func BenchmarkRead(b *testing.B) {
	s, _ := openDisk(b, true)
	body := []byte(noise(1500))
	const rows, messages = 2000, 50
	for v := range uint64(messages) {
		for i := range rows {
			_, cells := mailCommit(v+1, body)
			if err := s.Put(b.Context(), persistence.Mailbox, rowN(i), cells); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := s.db.Flush(); err != nil {
		b.Fatal(err)
	}
	counts := persistence.Exactly(persistence.Meta, []byte("counts"))
	for _, tc := range []struct {
		name   string
		ranges []persistence.Range
		absent bool
	}{
		{"one cell", []persistence.Range{counts}, false},
		{"page of 50 and counts", []persistence.Range{{Family: persistence.Meta, From: []byte("t"), Limit: 50}, counts}, false},
		{"absent row", []persistence.Range{counts}, true},
	} {
		b.Run(tc.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				row := rowN(i * 7919 % rows)
				if tc.absent {
					row = append(row, 'x')
				}
				if _, err := s.Read(b.Context(), persistence.Mailbox, row, tc.ranges...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
