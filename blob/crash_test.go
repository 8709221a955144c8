package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
)

// lives is what a series of power losses may and must leave.
type lives struct {
	t     *testing.T
	seed  uint64
	clock *clock

	mu    sync.Mutex
	tried map[parley.Digest]bool      // ever handed to Put
	acked map[parley.Digest]time.Time // acknowledged, with the date it must have at least
}

const powerLosses = 320

func TestPowerLoss(t *testing.T) {
	for seed := range uint64(powerLosses / 2) {
		l := &lives{t: t, seed: seed, clock: newClock(), tried: map[parley.Digest]bool{}, acked: map[parley.Digest]time.Time{}}
		rng := rand.New(rand.NewPCG(seed, 7))
		fs := crashfs.New(seed)
		for life := range 2 {
			fs.CrashAt(1 + rng.IntN(60<<(seed%3)))
			l.live(fs, uint64(life), 1+int(seed%4))
			fs = fs.Image()
			fs.Keep(int(seed+uint64(life)) % 5 * 25)
		}
		l.check(fs)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func (l *lives) config(fs *crashfs.FS) Config {
	return Config{Dir: "data/blobs", FS: fs, VolumeBytes: 128 << 10, small: chunkBytes, Now: l.clock.now}
}

// A process that is killed leaves bytes in the page cache. The next one finds
// them and must not acknowledge a repeat of them before they are durable.
func TestKilledThenPowerLoss(t *testing.T) {
	for seed := range uint64(60) {
		l := &lives{t: t, seed: seed, clock: newClock(), tried: map[parley.Digest]bool{}, acked: map[parley.Digest]time.Time{}}
		fs := crashfs.New(seed)
		fs.Keep(0)
		l.kill(fs, 10+int(seed)%50)
		fs.CrashAt(fs.Ops() + 20 + int(seed)%30)
		l.live(fs, 0, 1) // puts what the killed one put
		l.check(fs.Image())
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

var errKilled = errors.New("killed")

// kill runs a life whose n-th operation and all after it do not happen.
func (l *lives) kill(fs *crashfs.FS, n int) {
	fs.OnOp(func(i int, _ crashfs.Op, _ string) error {
		if i >= n {
			return errKilled
		}
		return nil
	})
	if s, err := Open(l.config(fs)); err == nil {
		l.put(s, rand.New(rand.NewPCG(l.seed, 0)))
		s.Close()
	}
	fs.OnOp(nil)
}

// live puts blobs from several callers until the power goes.
func (l *lives) live(fs *crashfs.FS, life uint64, callers int) {
	s, err := Open(l.config(fs))
	if err != nil {
		l.died(err)
		return
	}
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() { l.put(s, rand.New(rand.NewPCG(l.seed, life<<8|uint64(caller)))) })
	}
	all.Wait()
	fs.Crash() // if the callers were done before
	s.Close()
}

func (l *lives) put(s *Volumes, rng *rand.Rand) {
	for range 40 {
		b := l.choose(rng)
		at := l.clock.now()
		ref, err := s.Put(context.Background(), bytes.NewReader(b))
		if err != nil {
			l.died(err)
			return
		}
		l.mu.Lock()
		l.acked[ref.Digest] = later(l.acked[ref.Digest], at.Add(-freshFor))
		l.mu.Unlock()
		l.clock.advance(time.Duration(rng.IntN(20)) * time.Minute)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// choose makes a blob: some again and again, most small, a few streamed.
func (l *lives) choose(rng *rand.Rand) []byte {
	size := rng.IntN(9000)
	switch rng.IntN(12) {
	case 0:
		size = chunkBytes + rng.IntN(70_000)
	case 1, 2:
		size = rng.IntN(30_000)
	case 3, 4, 5, 6:
		rng = rand.New(rand.NewPCG(l.seed, 1000+rng.Uint64N(4)))
		size = rng.IntN(5000)
	}
	b := bytesOf(rng.Uint64(), size)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tried[sha256.Sum256(b)] = true
	return b
}

func (l *lives) died(err error) {
	if !errors.Is(err, crashfs.ErrPowerLoss) && !errors.Is(err, ErrClosed) && !errors.Is(err, errKilled) {
		l.t.Errorf("before the power went: %v", err)
	}
}

// check opens what is left: all that was acknowledged is there, and nothing is
// served that was not put.
func (l *lives) check(fs *crashfs.FS) {
	s, err := Open(l.config(fs))
	if err != nil {
		l.t.Errorf("open after the losses: %v", err)
		return
	}
	defer s.Close()
	if n := s.Recovered().DamageCount; n > 0 {
		l.t.Errorf("torn bytes taken for damage: %+v", s.Recovered().Damages)
	}
	for d, date := range l.acked {
		info, err := s.Stat(context.Background(), d)
		if err != nil || info.Date.Before(date) {
			l.t.Errorf("acknowledged blob %x: %v, date %v, want %v or later", d[:4], err, info.Date, date)
		}
	}
	for d := range s.index.places {
		if _, err := get(s, d); err != nil || !l.tried[d] {
			l.t.Errorf("served blob %x: %v, put: %v", d[:4], err, l.tried[d])
		}
	}
	if r, err := s.Check(context.Background(), nil); err != nil || !r.Sound() {
		l.t.Errorf("check: %v, %+v", err, r)
	}
	l.goesOn(s)
}

// goesOn shows that the folder still takes blobs.
func (l *lives) goesOn(s *Volumes) {
	for i, n := range []int{10, chunkBytes + 10} {
		b := bytesOf(uint64(i)<<24|77, n)
		if _, err := s.Put(context.Background(), bytes.NewReader(b)); err != nil {
			l.t.Errorf("put after the losses: %v", err)
		}
	}
}

// The last needles of a volume are cut off at each of their bytes, and overwritten with zeros from there.
func TestTornTail(t *testing.T) {
	for _, zeros := range []bool{false, true} {
		t.Run(fmt.Sprintf("zeros=%v", zeros), func(t *testing.T) {
			whole, last := tornVolume(t)
			for cut := last; cut <= len(whole); cut++ {
				raw := bytes.Clone(whole)
				clear(raw[cut:])
				if !zeros {
					raw = raw[:cut]
				}
				checkTorn(t, raw, bytes.Equal(raw, whole), len(raw)-last)
			}
		})
	}
}

// tornVolume makes a volume of which the last needle begins at last.
func tornVolume(t *testing.T) (raw []byte, last int) {
	fs := crashfs.New(0)
	s := mustOpen(t, Config{FS: fs})
	mustPut(t, s, bytesOf(1, 300))
	last = int(s.all[1].end.Load())
	mustPut(t, s, bytesOf(2, 200))
	return readFile(t, fs, "blobs/00000001.vol"), last
}

func checkTorn(t *testing.T, raw []byte, complete bool, torn int) {
	t.Helper()
	fs := crashfs.New(0)
	writeFile(t, fs, "blobs", "00000001.vol", raw)
	s := mustOpen(t, Config{FS: fs})
	defer s.Close()
	wantBlob(t, s, bytesOf(1, 300))
	if complete {
		wantBlob(t, s, bytesOf(2, 200))
		return
	}
	if got := s.Recovered().CutBytes; got != int64(torn) {
		t.Fatalf("cut %d bytes, want %d", got, torn)
	}
	mustPut(t, s, bytesOf(3, 50))
	mustClose(t, s)
	s = mustOpen(t, Config{FS: fs})
	defer s.Close()
	wantBlob(t, s, bytesOf(1, 300))
	wantBlob(t, s, bytesOf(3, 50))
	wantSound(t, s, 2)
}
