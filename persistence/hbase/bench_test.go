package hbase

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/parley-im/parley/internal/testenv"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
)

// mailCommit is what a delivered message costs a row: a new fence over the old, an
// action with its body, two entities.
func mailCommit(version uint64, body []byte) (persistence.Check, []persistence.Cell) {
	q := binary.BigEndian.AppendUint64(nil, version)
	check := persistence.Check{Family: persistence.Log, Qualifier: []byte("fence")}
	if version > 1 {
		check.Want = binary.BigEndian.AppendUint64(nil, version-1)
	}
	return check, []persistence.Cell{
		{Family: persistence.Log, Qualifier: []byte("fence"), Version: version, Value: q},
		{Family: persistence.Log, Qualifier: append([]byte("a"), q...), Version: version, Value: body},
		{Family: persistence.Meta, Qualifier: append([]byte("t"), q...), Version: version, Value: body[:200]},
		{Family: persistence.Meta, Qualifier: []byte("counts"), Version: version, Value: body[:100]},
	}
}

// commits lets each caller commit to a row of its own until n are done, and gives
// the rate of all together.
func commits(b *testing.B, s persistence.Store, callers, n int) float64 {
	b.Helper()
	body := make([]byte, 1500)
	rand.Read(body)
	left := make(chan struct{}, n)
	for range n {
		left <- struct{}{}
	}
	close(left)
	began := time.Now()
	var all sync.WaitGroup
	for range callers {
		row := []byte(rand.Text())
		all.Go(func() {
			version := uint64(0)
			for range left {
				version++
				check, cells := mailCommit(version, body)
				if err := s.Commit(b.Context(), persistence.Mailbox, row, check, cells); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// BenchmarkCommit compares fenced commits with those of the embedded store on
// this machine's disk, in one run.
func BenchmarkCommit(b *testing.B) {
	quorum := testenv.HBase(b)
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			s := openShared(b, quorum)
			defer s.Close()
			other, err := embedded.Open(embedded.Config{Dir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			defer other.Close()
			commits(b, s, callers, 50*callers) // the server has compiled what it runs
			own, embedded := 0.0, 0.0
			for b.Loop() {
				n := 100 * callers
				own += commits(b, s, callers, n)
				embedded += commits(b, other, callers, n)
			}
			b.ReportMetric(own/float64(b.N), "commits/s")
			b.ReportMetric(own/embedded, "of-embedded")
		})
	}
}

// BenchmarkRead reads a row of 2,000 messages.
func BenchmarkRead(b *testing.B) {
	s := openShared(b, testenv.HBase(b))
	defer s.Close()
	row, body := []byte(rand.Text()), make([]byte, 1500)
	for version := range uint64(2000) {
		check, cells := mailCommit(version+1, body)
		if err := s.Commit(b.Context(), persistence.Mailbox, row, check, cells); err != nil {
			b.Fatal(err)
		}
	}
	fence := persistence.Exactly(persistence.Log, []byte("fence"))
	counts := persistence.Exactly(persistence.Meta, []byte("counts"))
	page := persistence.Range{Family: persistence.Meta, From: []byte("t"), Limit: 50}
	for _, tc := range []struct {
		name   string
		ranges []persistence.Range
	}{
		{"two cells", []persistence.Range{fence, counts}},
		{"page of 50", []persistence.Range{page}},
		{"page of 50 and two cells", []persistence.Range{page, fence, counts}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Read(b.Context(), persistence.Mailbox, row, tc.ranges...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
