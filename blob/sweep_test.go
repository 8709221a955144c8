package blob

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

// named gives the digests of some blobs.
func named(blobs ...[]byte) map[parley.Digest]bool {
	all := map[parley.Digest]bool{}
	for _, b := range blobs {
		all[sha256.Sum256(b)] = true
	}
	return all
}

func mustSweep(t *testing.T, s *Volumes, blobs ...[]byte) Swept {
	t.Helper()
	r, err := s.Sweep(t.Context(), SweepConfig{Names: namesOf(named(blobs...)), Force: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A blob goes at the second sweep that is 48 hours after the first; any name, put
// or renewal in between begins the wait anew.
func TestSweepTwice(t *testing.T) {
	mem, clock := vfs.NewMem(), newClock()
	cfg := Config{FS: mem, small: chunkBytes, Now: clock.now}
	s := mustOpen(t, cfg)
	kept, lost, again, back := bytesOf(1, 100), bytesOf(2, 200), bytesOf(3, 100_000), bytesOf(4, 300)
	for _, b := range [][]byte{kept, lost, again, back} {
		mustPut(t, s, b)
	}
	clock.advance(time.Minute)
	if r := mustSweep(t, s, kept); r.Blobs != 4 || r.Waiting != 3 || r.WaitingBytes != 100_500 || r.Ended != 0 {
		t.Errorf("the first sweep: %+v", r)
	}
	if at, err := s.LastSweep(); err != nil || !at.Equal(clock.now()) {
		t.Errorf("LastSweep = %v, %v", at, err)
	}
	clock.advance(24 * time.Hour)
	mustPut(t, s, again) // renewed
	if r := mustSweep(t, s, kept, back); r.Ended != 0 || r.Waiting != 2 {
		t.Errorf("a day later: %+v", r)
	}
	s = reopen(t, s, cfg) // what the first sweep found is kept
	clock.advance(SweepAge - 24*time.Hour - time.Minute)
	if r := mustSweep(t, s, kept); r.Ended != 0 {
		t.Errorf("a minute too early: %+v", r)
	}
	clock.advance(time.Minute)
	if r := mustSweep(t, s, kept); r.Ended != 1 || r.EndedBytes != 200 || r.Waiting != 2 {
		t.Errorf("after two days: %+v", r)
	}
	wantGone(t, s, lost)
	for _, b := range [][]byte{kept, again, back} {
		wantBlob(t, s, b)
	}
	clock.advance(SweepAge)
	if r := mustSweep(t, s, kept); r.Ended != 2 {
		t.Errorf("two days after the renewal: %+v", r)
	}
	s = reopen(t, s, cfg)
	wantGone(t, s, again)
	wantBlob(t, s, kept)
	if r := wantSound(t, s, 1); r.Ended != 3 || r.Deletes != 3 {
		t.Errorf("Check = %+v", r)
	}
	mustPut(t, s, lost) // it may come back
	s = reopen(t, s, cfg)
	wantBlob(t, s, lost)
}

// Renew is durable, small, and seldom needs a write.
func TestRenew(t *testing.T) {
	mem, clock := vfs.NewMem(), newClock()
	cfg := Config{FS: mem, small: chunkBytes, Now: clock.now}
	s := mustOpen(t, cfg)
	b := bytesOf(1, 200_000)
	d := mustPut(t, s, b).Digest
	before := s.Counters()
	if err := s.Renew(t.Context(), d); err != nil || s.Counters() != before {
		t.Errorf("Renew of what was just put: %v, %+v", err, s.Counters())
	}
	clock.advance(2 * time.Hour)
	if err := s.Renew(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	after := s.Counters()
	if after.Appended-before.Appended != headerBytes || after.DiskReads != before.DiskReads {
		t.Errorf("Renew went from %+v to %+v, want %d bytes written and none read", before, after, headerBytes)
	}
	s = reopen(t, s, cfg)
	if info, err := s.Stat(t.Context(), d); err != nil || !info.Date.Equal(clock.now()) {
		t.Errorf("Stat after a start = %+v, %v", info, err)
	}
	if err := s.Renew(t.Context(), parley.Digest{1}); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("Renew of nothing = %v", err)
	}
	p, _, _ := s.index.find(d)
	s.index.spoil(d, p)
	clock.advance(2 * time.Hour)
	if err := s.Renew(t.Context(), d); err != nil {
		t.Errorf("Renew of a damaged blob = %v", err)
	}
	if info, err := s.Stat(t.Context(), d); err != nil || !info.Date.Equal(clock.now()) {
		t.Errorf("Stat of a damaged blob that was renewed = %+v, %v", info, err)
	}
}

// On incomplete knowledge nothing goes, and nothing is noted.
func TestSweepThatFails(t *testing.T) {
	clock := newClock()
	s := mustOpen(t, Config{FS: vfs.NewMem(), Now: clock.now})
	b := bytesOf(1, 100)
	mustPut(t, s, b)
	clock.advance(time.Hour)
	broken := func(yield func(parley.Digest, error) bool) { yield(parley.Digest{}, errUnread) }
	for range 3 {
		if _, err := s.Sweep(t.Context(), SweepConfig{Names: broken, Force: true}); !errors.Is(err, errUnread) {
			t.Fatalf("Sweep = %v", err)
		}
		clock.advance(SweepAge)
	}
	if r := mustSweep(t, s); r.Ended != 0 || r.Waiting != 1 {
		t.Errorf("the first whole sweep: %+v", r)
	}
	wantBlob(t, s, b)
	r, err := s.Sweep(t.Context(), SweepConfig{Names: namesOf(named(b, bytesOf(2, 5)))})
	if err != nil || r.MissingCount != 1 || r.Missing[0] != sha256.Sum256(bytesOf(2, 5)) {
		t.Errorf("a name without a blob: %+v, %v", r, err)
	}
}

// Many blobs at once go only when somebody says so.
func TestSweepAsks(t *testing.T) {
	clock := newClock()
	s := mustOpen(t, Config{FS: vfs.NewMem(), Now: clock.now})
	var kept [][]byte
	for i := range uint64(100) {
		b := bytesOf(i, 10)
		mustPut(t, s, b)
		if i >= 21 {
			kept = append(kept, b)
		}
	}
	clock.advance(time.Hour)
	cfg := SweepConfig{Names: namesOf(named(kept...))}
	for range 3 {
		if r, err := s.Sweep(t.Context(), cfg); r.Ripe > 0 && (!errors.Is(err, ErrTooMany) || r.Ended != 0 || r.Ripe != 21) {
			t.Fatalf("Sweep of 21 of 100 = %+v, %v", r, err)
		}
		clock.advance(SweepAge)
	}
	wantSound(t, s, 100)
	cfg.Names = namesOf(named(append(kept, bytesOf(0, 10))...))
	if r, err := s.Sweep(t.Context(), cfg); err != nil || r.Ended != 20 {
		t.Errorf("Sweep of 20 of 100 = %+v, %v", r, err)
	}
	clock.advance(SweepAge)
	mustSweep(t, s)
	clock.advance(SweepAge)
	if r := mustSweep(t, s); r.Ended != 80 {
		t.Errorf("a forced sweep: %+v", r)
	}
}

// Only a whole file of candidates counts.
func TestCandidates(t *testing.T) {
	c := candidates{at: 1_800_000_000, since: map[parley.Digest]int64{{1}: 5, {2, 3}: -1}}
	raw := c.encode()
	if got, ok := decodeCandidates(raw); !ok || got.at != c.at || len(got.since) != 2 || got.since[parley.Digest{1}] != 5 || got.since[parley.Digest{2, 3}] != -1 {
		t.Errorf("got %+v, %v", got, ok)
	}
	for at := range raw {
		flipped := bytes.Clone(raw)
		flipped[at] ^= 4
		if _, ok := decodeCandidates(flipped); ok {
			t.Errorf("byte %d flipped: it still counts", at)
		}
		if _, ok := decodeCandidates(raw[:at]); ok {
			t.Errorf("cut at %d: it still counts", at)
		}
	}
	clock := newClock()
	mem := vfs.NewMem()
	s := mustOpen(t, Config{FS: mem, Now: clock.now})
	mustPut(t, s, bytesOf(1, 10))
	clock.advance(time.Hour)
	mustSweep(t, s)
	clock.advance(-2 * time.Hour) // the clock was wrong when it was written
	if at, err := s.LastSweep(); err != nil || !at.IsZero() {
		t.Errorf("LastSweep in the future = %v, %v", at, err)
	}
	flip(t, mem, "blobs/candidates", 30)
	clock.advance(SweepAge + 3*time.Hour)
	if r := mustSweep(t, s); r.Ended != 0 || r.Waiting != 1 {
		t.Errorf("with a damaged file: %+v", r)
	}
}
