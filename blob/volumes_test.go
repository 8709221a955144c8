package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

// clock is a time that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// bytesOf makes n bytes that depend on the seed.
func bytesOf(seed uint64, n int) []byte {
	var key [32]byte
	key[0], key[1], key[2], key[3] = byte(seed), byte(seed>>8), byte(seed>>16), byte(seed>>24)
	b := make([]byte, n)
	rand.NewChaCha8(key).Read(b)
	return b
}

func mustOpen(t testing.TB, cfg Config) *Volumes {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = "blobs"
	}
	s, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mustClose(t testing.TB, s *Volumes) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func mustPut(t testing.TB, s *Volumes, b []byte) Ref {
	t.Helper()
	ref, err := s.Put(context.Background(), bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Ref{Digest: sha256.Sum256(b), Size: int64(len(b))}); ref != want {
		t.Fatalf("Put = %v, want %v", ref, want)
	}
	return ref
}

// get reads a blob whole through Reader.
func get(s *Volumes, d parley.Digest) ([]byte, error) {
	b, err := s.Open(context.Background(), d)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return io.ReadAll(NewReader(b))
}

func wantBlob(t testing.TB, s *Volumes, want []byte) {
	t.Helper()
	got, err := get(s, sha256.Sum256(want))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("got %d bytes that differ from the %d put", len(got), len(want))
	}
}

func wantSound(t testing.TB, s *Volumes, blobs int64) Report {
	t.Helper()
	r, err := s.Check(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Sound() || r.Blobs != blobs {
		t.Fatalf("Check = %+v, want %d sound blobs", r, blobs)
	}
	return r
}

var sizes = []int{0, 1, 7, 100, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3*chunkBytes + 5,
	1<<20 - 1, 1 << 20, 1<<20 + 1, 1<<20 + chunkBytes, 3<<20 + 17}

func TestPutOpen(t *testing.T) {
	mem := vfs.NewMem()
	s := mustOpen(t, Config{FS: mem})
	for i, n := range sizes {
		mustPut(t, s, bytesOf(uint64(i), n))
	}
	look := func(t *testing.T, s *Volumes) {
		for i, n := range sizes {
			t.Run(fmt.Sprint(n), func(t *testing.T) { wantBlob(t, s, bytesOf(uint64(i), n)) })
		}
		wantSound(t, s, int64(len(sizes)))
	}
	t.Run("at once", func(t *testing.T) { look(t, s) })
	mustClose(t, s)
	s = mustOpen(t, Config{FS: mem})
	t.Run("after reopening", func(t *testing.T) { look(t, s) })
	mustClose(t, s)
	for n := range s.next {
		mem.Remove("blobs/" + volumeName(n, checkpointSuffix))
	}
	s = mustOpen(t, Config{FS: mem})
	t.Run("without checkpoints", func(t *testing.T) { look(t, s) })
}

func TestOnDisk(t *testing.T) {
	dir := t.TempDir() + "/a/b"
	s := mustOpen(t, Config{Dir: dir})
	for i, n := range sizes {
		mustPut(t, s, bytesOf(uint64(i), n))
	}
	if _, err := Open(Config{Dir: dir}); !errors.Is(err, ErrInUse) {
		t.Fatalf("second Open = %v, want ErrInUse", err)
	}
	mustClose(t, s)
	s = mustOpen(t, Config{Dir: dir})
	for i, n := range sizes {
		wantBlob(t, s, bytesOf(uint64(i), n))
	}
	wantSound(t, s, int64(len(sizes)))
}
