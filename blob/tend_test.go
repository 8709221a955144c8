package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
)

// house is a store with those who name its blobs, as the rows of mailboxes do.
type house struct {
	t     *testing.T
	seed  uint64
	rng   *rand.Rand
	clock *clock
	fs    *crashfs.FS
	s     *Volumes

	bytes map[parley.Digest][]byte
	put   map[parley.Digest]time.Time // the last Put or Renew that returned
	names []map[parley.Digest]bool    // by row
}

const tendPlays = 50

// Puts, names, purges, sweeps and compactions in any order, with the power going at
// any moment: what is named is there, always; what nobody names is gone after two
// sweeps, and its bytes after a compaction.
func TestTendPlays(t *testing.T) {
	for seed := range uint64(tendPlays) {
		h := newHouse(t, seed)
		for range 3 {
			h.fs.CrashAt(h.fs.Ops() + 1 + h.rng.IntN(60<<(seed%4)))
			h.live()
			h.fs = h.fs.Image()
			h.fs.Keep(int(seed % 5 * 25))
			h.open()
			h.check("after a power loss")
		}
		h.settle()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func newHouse(t *testing.T, seed uint64) *house {
	h := &house{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 3)), clock: newClock(), fs: crashfs.New(seed),
		bytes: map[parley.Digest][]byte{}, put: map[parley.Digest]time.Time{}}
	for range 5 {
		h.names = append(h.names, map[parley.Digest]bool{})
	}
	h.open()
	return h
}

func (h *house) open() {
	s, err := Open(Config{Dir: "blobs", FS: h.fs, VolumeBytes: 100_000, small: chunkBytes, Now: h.clock.now})
	if err != nil {
		h.t.Fatalf("seed %d: %v", h.seed, err)
	}
	h.s = s
}

// live does one thing after the other until the power goes or it is enough.
func (h *house) live() {
	var err error
	for n := 0; n < 120 && err == nil; n++ {
		switch k := h.rng.IntN(20); {
		case k < 9:
			err = h.visit()
		case k < 12:
			h.clock.advance(time.Duration(h.rng.IntN(30)) * time.Hour)
		case k < 16:
			err = h.sweep()
		default:
			_, err = h.s.Compact(context.Background(), CompactConfig{DeadShare: float64(h.rng.IntN(3)-1) / 2})
		}
	}
	if err != nil && !errors.Is(err, crashfs.ErrPowerLoss) && !errors.Is(err, ErrClosed) {
		h.t.Errorf("before the power went: %v", err)
	}
	h.fs.Crash()
	h.s.Close()
}

// visit is what users do: put and name, name again what they named before, purge.
func (h *house) visit() error {
	row := h.names[h.rng.IntN(len(h.names))]
	known := slices.SortedFunc(maps.Keys(h.bytes), func(a, b parley.Digest) int { return bytes.Compare(a[:], b[:]) })
	switch k := h.rng.IntN(10); {
	case k < 5 || len(known) == 0:
		b := bytesOf(h.seed<<16|uint64(h.rng.IntN(30)), []int{10, 2000, 40_000, chunkBytes, 150_000}[h.rng.IntN(5)])
		d := parley.Digest(sha256.Sum256(b))
		if _, err := h.s.Put(context.Background(), bytes.NewReader(b)); err != nil {
			return err
		}
		h.bytes[d], h.put[d] = b, h.clock.now()
		row[d] = row[d] || h.rng.IntN(2) == 0
	case k < 7: // named within 12 hours of a put or a renewal
		d := known[h.rng.IntN(len(known))]
		if h.clock.now().Sub(h.put[d]) >= 12*time.Hour {
			err := h.s.Renew(context.Background(), d)
			if parley.CodeOf(err) == parley.NotFound && errors.As(err, new(*parley.Error)) {
				return nil
			}
			if err != nil {
				return err
			}
			h.put[d] = h.clock.now()
		}
		row[d] = true
	default:
		delete(row, known[h.rng.IntN(len(known))])
	}
	return nil
}

// sweep reads the rows one after the other, while life goes on.
func (h *house) sweep() error {
	var died error
	_, err := h.s.Sweep(context.Background(), SweepConfig{Force: true, Names: func(yield func(parley.Digest, error) bool) {
		for _, row := range h.names {
			for d := range maps.Clone(row) {
				if !yield(d, nil) {
					return
				}
			}
			if died = h.visit(); died != nil {
				yield(parley.Digest{}, died)
				return
			}
		}
		if h.rng.IntN(8) == 0 {
			yield(parley.Digest{}, errUnread)
		}
	}})
	if errors.Is(err, errUnread) {
		return nil
	}
	return err
}

var errUnread = errors.New("a row that cannot be read")

func (h *house) named() map[parley.Digest]bool {
	all := map[parley.Digest]bool{}
	for _, row := range h.names {
		maps.Copy(all, row)
	}
	return all
}

func (h *house) check(when string) {
	for d := range h.named() {
		if got, err := get(h.s, d); err != nil || !bytes.Equal(got, h.bytes[d]) {
			h.t.Errorf("%s: a named blob: %d bytes, %v", when, len(got), err)
		}
	}
	if r, err := h.s.Check(context.Background(), nil); err != nil || !r.Sound() {
		h.t.Errorf("%s: Check = %+v, %v", when, r, err)
	}
	if n := h.s.Recovered().DamageCount; n > 0 {
		h.t.Errorf("%s: torn bytes taken for damage: %+v", when, h.s.Recovered().Damages)
	}
}

// settle shows that everything unnamed goes, bytes and all.
func (h *house) settle() {
	named := h.named()
	for range 2 {
		h.clock.advance(SweepAge + time.Hour)
		if _, err := h.s.Sweep(context.Background(), SweepConfig{Force: true, Names: namesOf(named)}); err != nil {
			h.t.Errorf("sweep: %v", err)
		}
	}
	for range 4 { // deletes go one compaction after the puts that they end
		if _, err := h.s.Compact(context.Background(), compactAll); err != nil {
			h.t.Errorf("compact: %v", err)
		}
	}
	h.check("at the end")
	if n := h.s.index.len(); n != len(named) {
		h.t.Errorf("%d blobs at the end, %d are named", n, len(named))
	}
	if on, live := folderBytes(h.t, h.fs), live(h.s); on > live+20_000 {
		h.t.Errorf("%d bytes at the end for %d that live", on, live)
	}
	h.s.Close()
}

func namesOf(all map[parley.Digest]bool) iter.Seq2[parley.Digest, error] {
	return func(yield func(parley.Digest, error) bool) {
		for d := range all {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// Several people put, name and read while sweeps and compactions run one after the
// other and the days go by.
func TestTendBesideLife(t *testing.T) {
	clock := newClock()
	s := mustOpen(t, Config{FS: crashfs.New(0), VolumeBytes: 200_000, small: chunkBytes, Now: clock.now, NoSync: true})
	var act sync.RWMutex // held for reading from a put to its name, which do not take days
	var mu sync.Mutex    // over names: a commit and a row's reading do not overlap
	names := map[parley.Digest]bool{}
	sweep := func() (Swept, error) {
		return s.Sweep(t.Context(), SweepConfig{Force: true, Names: func(yield func(parley.Digest, error) bool) {
			mu.Lock()
			now := maps.Clone(names)
			mu.Unlock()
			namesOf(now)(yield)
		}})
	}
	var people sync.WaitGroup
	for person := range uint64(4) {
		people.Go(func() {
			for n := range uint64(60) {
				act.RLock()
				b := bytesOf(person<<16|n%20<<8, []int{100, 5000, 70_000}[n%3])
				ref, err := s.Put(t.Context(), bytes.NewReader(b))
				if err != nil {
					t.Errorf("person %d: %v", person, err)
					act.RUnlock()
					return
				}
				mu.Lock()
				names[ref.Digest] = n%4 != 0
				if !names[ref.Digest] {
					delete(names, ref.Digest)
				}
				mu.Unlock()
				if got, err := get(s, ref.Digest); err != nil || !bytes.Equal(got, b) {
					t.Errorf("person %d: a blob just put: %d bytes, %v", person, len(got), err)
				}
				act.RUnlock()
			}
		})
	}
	gone := make(chan struct{})
	go func() { people.Wait(); close(gone) }()
	for busy := true; busy; {
		select {
		case <-gone:
			busy = false
		default:
		}
		if _, err := sweep(); err != nil {
			t.Fatal(err)
		}
		mustCompact(t, s, compactAll)
		act.Lock()
		clock.advance(20 * time.Hour)
		act.Unlock()
	}
	for range 2 {
		clock.advance(SweepAge)
		if _, err := sweep(); err != nil {
			t.Fatal(err)
		}
	}
	mustCompact(t, s, compactAll)
	wantSound(t, s, int64(len(names)))
	for d := range names {
		if _, err := get(s, d); err != nil {
			t.Errorf("a named blob: %v", err)
		}
	}
}
