package blob

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

var benchSizes = []int{1 << 10, 32 << 10, 1 << 20}

// parallel shares b.N calls among some callers.
func parallel(b *testing.B, callers int, call func(n uint64)) {
	var next atomic.Uint64
	var all sync.WaitGroup
	b.ResetTimer()
	for range callers {
		all.Go(func() {
			for n := next.Add(1); n <= uint64(b.N); n = next.Add(1) {
				call(n)
			}
		})
	}
	all.Wait()
	b.StopTimer()
}

func BenchmarkPut(b *testing.B) {
	for _, size := range benchSizes {
		for _, callers := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("size=%d/callers=%d", size, callers), func(b *testing.B) {
				s := mustOpen(b, Config{Dir: b.TempDir()})
				body := bytesOf(1, size-8)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				before := s.Counters().Syncs
				parallel(b, callers, func(n uint64) {
					head := binary.LittleEndian.AppendUint64(nil, n)
					if _, err := s.Put(b.Context(), multi(head, body)); err != nil {
						b.Error(err)
					}
				})
				b.ReportMetric(float64(b.N)/float64(max(1, s.Counters().Syncs-before)), "puts/sync")
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, size := range benchSizes {
		s := mustOpen(b, Config{Dir: b.TempDir(), NoSync: true})
		var digests []parley.Digest
		for i := range 64 {
			body := bytesOf(uint64(i), size)
			mustPut(b, s, body)
			digests = append(digests, sha256.Sum256(body))
		}
		for _, callers := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("size=%d/callers=%d", size, callers), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				before := s.Counters().DiskReads
				parallel(b, callers, func(n uint64) {
					o, err := s.Open(b.Context(), digests[n%64])
					if err != nil {
						b.Error(err)
						return
					}
					defer o.Close()
					if _, err := NewReader(o).WriteTo(discard{}); err != nil {
						b.Error(err)
					}
				})
				b.ReportMetric(float64(s.Counters().DiskReads-before)/float64(b.N), "diskreads/op")
			})
		}
	}
}

func multi(head, body []byte) *twoReader { return &twoReader{head, *bytes.NewReader(body)} }

// twoReader is io.MultiReader without its allocations.
type twoReader struct {
	head []byte
	body bytes.Reader
}

func (r *twoReader) Read(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	return r.body.Read(p)
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkOpen starts on a folder of many small blobs, all in checkpoints.
func BenchmarkOpen(b *testing.B) {
	const blobs = 100_000
	dir := b.TempDir()
	s := mustOpen(b, Config{Dir: dir, NoSync: true})
	parallelPuts(b, s, blobs)
	mustClose(b, s)
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open(Config{Dir: dir})
		if err != nil || s.Recovered().Blobs != blobs {
			b.Fatal(err, s.Recovered())
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/blobs, "ns/blob")
}

func parallelPuts(b *testing.B, s *Volumes, blobs int) {
	var all sync.WaitGroup
	for caller := range 64 {
		all.Go(func() {
			for n := caller; n < blobs; n += 64 {
				mustPut(b, s, binary.LittleEndian.AppendUint64(nil, uint64(n)))
			}
		})
	}
	all.Wait()
}

// BenchmarkCompact rewrites volumes of which a half is dead. ratio is how many times
// as long it takes as to read the same bytes in order.
func BenchmarkCompact(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			var copied, compacting, reading float64
			for b.Loop() {
				b.StopTimer()
				s := halfDead(b, size)
				read := readVolumes(b, s)
				b.StartTimer()
				start := time.Now()
				done := mustCompact(b, s, CompactConfig{})
				compacting += time.Since(start).Seconds()
				if done.Copied == 0 || done.Kept+done.Busy+done.NoSpace > 0 {
					b.Fatalf("%+v", done)
				}
				copied, reading = copied+float64(done.Copied), reading+read
				b.StopTimer()
				s.Close()
				b.StartTimer()
			}
			b.ReportMetric(copied/1e6/compacting, "MB-copied/s")
			b.ReportMetric(compacting/reading, "ratio")
		})
	}
}

// halfDead is a store of 64 MiB.
func halfDead(b *testing.B, size int) *Volumes {
	cfg := Config{Dir: b.TempDir(), VolumeBytes: 16 << 20, NoSync: true}
	s := mustOpen(b, cfg)
	const blobs = 64 << 20
	body := bytesOf(1, size-8)
	var dead []doomed
	for n := range uint64(blobs / size) {
		ref, err := s.Put(b.Context(), multi(binary.LittleEndian.AppendUint64(nil, n), body))
		if err != nil {
			b.Fatal(err)
		}
		if n%2 == 0 {
			dead = append(dead, doomed{ref.Digest, s.cfg.Now().Add(time.Hour)})
		}
	}
	if _, err := s.delete(b.Context(), dead); err != nil {
		b.Fatal(err)
	}
	cfg.NoSync = false
	return reopen(b, s, cfg)
}

// readVolumes reads all volumes in order and says how long that took.
func readVolumes(b *testing.B, s *Volumes) float64 {
	start, buf := time.Now(), make([]byte, scanBytes)
	for _, v := range s.holdAll() {
		for at := int64(0); at < v.end.Load(); at += scanBytes {
			if err := v.readFull(buf[:min(scanBytes, v.end.Load()-at)], at); err != nil {
				b.Fatal(err)
			}
		}
		v.drop()
	}
	return time.Since(start).Seconds()
}
