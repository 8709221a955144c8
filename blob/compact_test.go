package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
)

// compactAll rewrites whatever has anything dead.
var compactAll = CompactConfig{DeadShare: -1}

func mustCompact(t testing.TB, s *Volumes, cfg CompactConfig) Compacted {
	t.Helper()
	done, err := s.Compact(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// end ends blobs as a sweep does, whatever their dates are.
func end(t testing.TB, s *Volumes, blobs ...[]byte) {
	t.Helper()
	var all []doomed
	for _, b := range blobs {
		all = append(all, doomed{sha256.Sum256(b), s.cfg.Now().Add(time.Hour)})
	}
	ended, err := s.delete(context.Background(), all)
	if err != nil || len(ended) != len(blobs) {
		t.Fatalf("delete = %v, %v, want %d", ended, err, len(blobs))
	}
}

func wantGone(t testing.TB, s *Volumes, b []byte) {
	t.Helper()
	if _, err := get(s, sha256.Sum256(b)); parley.CodeOf(err) != parley.NotFound {
		t.Fatalf("a blob that was ended: %v, want NotFound", err)
	}
}

func folderBytes(t testing.TB, fs vfs.FS) (n int64) {
	t.Helper()
	names, err := fs.List("blobs")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if info, err := fs.Stat("blobs/" + name); err == nil && strings.HasSuffix(name, volumeSuffix) {
			n += info.Size()
		}
	}
	return n
}

// Small and large blobs, ended and not, renewed, put again: after compaction the
// dead bytes are gone, the rest is as it was, and so it is after a start.
func TestCompact(t *testing.T) {
	mem, clock := vfs.NewMem(), newClock()
	cfg := Config{FS: mem, small: chunkBytes, VolumeBytes: 300_000, Now: clock.now}
	s := mustOpen(t, cfg)
	var stay, go_ [][]byte
	for i := range uint64(40) {
		b := bytesOf(i, []int{10, 3000, 90_000, chunkBytes, 200_000}[i%5])
		mustPut(t, s, b)
		if i%3 == 0 {
			stay = append(stay, b)
		} else {
			go_ = append(go_, b)
		}
	}
	clock.advance(5 * time.Hour)
	mustPut(t, s, stay[0]) // renewed
	renewed := clock.now()
	end(t, s, go_...)
	mustPut(t, s, go_[1]) // and back again
	stay, go_ = append(stay, go_[1]), append(go_[:1:1], go_[2:]...)
	before := folderBytes(t, mem)
	done := mustCompact(t, s, compactAll)
	after := folderBytes(t, mem)
	if done.Volumes == 0 || done.Freed-(before-after) > 1000 || before-after > done.Freed || done.Kept+done.Busy+done.NoSpace > 0 {
		t.Errorf("Compact = %+v, the folder went from %d to %d bytes", done, before, after)
	}
	look := func(s *Volumes) {
		t.Helper()
		for _, b := range stay {
			wantBlob(t, s, b)
		}
		for _, b := range go_ {
			wantGone(t, s, b)
		}
		if info, err := s.Stat(t.Context(), sha256.Sum256(stay[0])); err != nil || !info.Date.Equal(renewed) {
			t.Errorf("Stat of a renewed blob = %+v, %v, want %v", info, err, renewed)
		}
		wantSound(t, s, int64(len(stay)))
	}
	look(s)
	// What remains dead are deletes and cuts, less than a blob.
	if live := live(s); after-live > 20_000 {
		t.Errorf("%d bytes for %d that live", after, live)
	}
	for _, without := range []bool{false, true} {
		mustClose(t, s)
		for n := range s.next {
			if without {
				mem.Remove("blobs/" + volumeName(n, checkpointSuffix))
			}
		}
		s = mustOpen(t, cfg)
		look(s)
	}
}

func live(s *Volumes) (n int64) {
	for _, bytes := range s.index.live() {
		n += bytes
	}
	return n
}

// A volume below the share is left alone, one that is all dead costs no copy.
func TestCompactChooses(t *testing.T) {
	s := mustOpen(t, Config{FS: vfs.NewMem(), small: chunkBytes, VolumeBytes: 100_000})
	for i := range uint64(9) {
		mustPut(t, s, bytesOf(i, 40_000)) // three of a volume
	}
	for i := range uint64(4) {
		end(t, s, bytesOf(i, 40_000)) // all of the first, one of the second
	}
	if done := mustCompact(t, s, CompactConfig{DeadShare: 0.5}); done.Volumes != 1 || done.Copied != 0 || done.Freed < 120_000 {
		t.Errorf("Compact = %+v, want one volume removed for nothing", done)
	}
	if done := mustCompact(t, s, CompactConfig{}); done.Volumes != 1 || done.Copied < 80_000 || done.Freed < 40_000 {
		t.Errorf("Compact = %+v, want one volume rewritten", done)
	}
	wantSound(t, s, 5)
}

// Deletes stay as long as a put in another volume would come back without them,
// and no longer.
func TestDeleteOutlivesItsPuts(t *testing.T) {
	mem := vfs.NewMem()
	cfg := Config{FS: mem, small: chunkBytes, VolumeBytes: 50_000}
	s := mustOpen(t, cfg)
	old, anchor := bytesOf(1, 60_000), bytesOf(2, 60_000)
	mustPut(t, s, old)                 // volume 1
	mustPut(t, s, bytesOf(3, 10_000))  // volume 2
	end(t, s, old)                     // in volume 2
	mustPut(t, s, bytesOf(4, 10_000))  // 2
	end(t, s, bytesOf(3, 10_000))      // 2, which now is rewritten while 1 is there
	mustPut(t, s, anchor)              // 2 or 3
	r := &rewriting{s: s, v: s.all[2]} // what a compaction of 2 would keep
	if err := r.survey(t.Context()); err != nil || len(r.others) != 1 || r.others[0].digest != sha256.Sum256(old) {
		t.Fatalf("survey keeps %+v, %v, want the delete of the blob in volume 1", r.others, err)
	}
	mustCompact(t, s, compactAll)
	mustCompact(t, s, compactAll)
	s = reopen(t, s, cfg)
	wantGone(t, s, old)
	if report := wantSound(t, s, 2); report.Ended > 0 {
		t.Errorf("Check = %+v, want no ended blob left", report)
	}
	mustCompact(t, s, compactAll)
	if report := wantSound(t, s, 2); report.Deletes > 0 {
		t.Errorf("Check = %+v, want no delete left", report)
	}
	if len(s.index.graves) > 0 {
		t.Errorf("graves left: %v", s.index.graves)
	}
}

func reopen(t testing.TB, s *Volumes, cfg Config) *Volumes {
	t.Helper()
	mustClose(t, s)
	return mustOpen(t, cfg)
}

// Who has a blob open reads on after its volume was removed.
func TestReadersOutliveTheirVolume(t *testing.T) {
	s := mustOpen(t, Config{Dir: t.TempDir(), small: chunkBytes, VolumeBytes: 100_000})
	small, large := bytesOf(1, 1000), bytesOf(2, 200_000)
	mustPut(t, s, small)
	mustPut(t, s, large)
	mustPut(t, s, bytesOf(3, 5000))
	var open []Blob
	for _, b := range [][]byte{small, large} {
		o, err := s.Open(t.Context(), sha256.Sum256(b))
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		open = append(open, o)
	}
	end(t, s, large, bytesOf(3, 5000))
	if done := mustCompact(t, s, compactAll); done.Volumes != 2 {
		t.Fatalf("Compact = %+v, want both volumes gone", done)
	}
	wantGone(t, s, large)
	wantBlob(t, s, small)
	for i, want := range [][]byte{small, large} {
		if got, err := io.ReadAll(NewReader(open[i])); err != nil || !bytes.Equal(got, want) {
			t.Errorf("a blob that was open: %d bytes, %v", len(got), err)
		}
	}
}

// Damage is never dropped: the sound blobs move, the volume stays with what is not,
// until the damaged blob is healed or ended.
func TestCompactKeepsDamage(t *testing.T) {
	for _, tc := range []struct {
		name string
		size int
		at   int64 // of the flipped byte, from the needle
	}{
		{"payload of a small one", 3000, headerBytes + 7},
		{"payload of a large one", 200_000, headerBytes + 70_000},
		{"header", 3000, 20},
	} {
		t.Run(tc.name, func(t *testing.T) {
			mem := vfs.NewMem()
			s := mustOpen(t, Config{FS: mem, small: chunkBytes})
			bad, good, dead := bytesOf(1, tc.size), bytesOf(2, 5000), bytesOf(3, 2*tc.size)
			for _, b := range [][]byte{dead, bad, good} {
				mustPut(t, s, b)
			}
			end(t, s, dead)
			p, _, _ := s.index.find(sha256.Sum256(bad))
			flip(t, mem, "blobs/"+volumeName(p.volume, volumeSuffix), p.offset()+tc.at)
			done := mustCompact(t, s, compactAll)
			if done.Kept != 1 || len(done.Damages) != 1 || done.Damages[0].Volume != p.volume {
				t.Fatalf("Compact = %+v, want the volume kept", done)
			}
			wantBlob(t, s, good)
			if _, err := get(s, sha256.Sum256(bad)); !errors.Is(err, ErrDamaged) {
				t.Fatalf("the damaged blob: %v", err)
			}
			if tc.at < headerBytes {
				return // what stood there cannot be told any more
			}
			mustPut(t, s, bad)
			if done := mustCompact(t, s, compactAll); done.Kept != 0 || done.Volumes == 0 {
				t.Fatalf("Compact after healing = %+v", done)
			}
			wantBlob(t, s, bad)
			wantSound(t, s, 2)
		})
	}
}

// With hardly any space, volumes that need none go first and make room for others;
// what there is no room for waits, and nothing is lost.
func TestCompactWithoutSpace(t *testing.T) {
	fs := crashfs.New(0)
	s := mustOpen(t, Config{FS: fs, small: chunkBytes, VolumeBytes: 100_000})
	for i := range uint64(9) {
		mustPut(t, s, bytesOf(i, 40_000))
	}
	end(t, s, bytesOf(3, 40_000))
	end(t, s, bytesOf(0, 40_000), bytesOf(1, 40_000), bytesOf(2, 40_000))
	fs.SetSpace(5000)
	if done := mustCompact(t, s, compactAll); done.Volumes != 1 || done.NoSpace == 0 || done.Copied != 0 {
		t.Fatalf("Compact = %+v, want the dead volume removed, and no room for the others", done)
	}
	fs.SetSpace(compactReserve + 1<<20)
	if done := mustCompact(t, s, compactAll); done.Volumes == 0 || done.NoSpace != 0 {
		t.Fatalf("Compact = %+v", done)
	}
	for i := range uint64(5) {
		wantBlob(t, s, bytesOf(i+4, 40_000))
	}
	wantSound(t, s, 5)
}

// A disk that fills up or fails in the middle ends a compaction and nothing else.
func TestCompactOnFailingDisk(t *testing.T) {
	for n := range 40 {
		fs := crashfs.New(uint64(n))
		cfg := Config{FS: fs, small: chunkBytes, VolumeBytes: 100_000}
		s := mustOpen(t, cfg)
		for i := range uint64(6) {
			mustPut(t, s, bytesOf(i, 40_000+int(i)*20_000))
		}
		end(t, s, bytesOf(0, 40_000), bytesOf(2, 80_000))
		left := n / 2
		fs.OnOp(func(_ int, op crashfs.Op, name string) error {
			if left--; left < 0 && (op == crashfs.Write || op == crashfs.Sync && n%2 == 0) && strings.HasSuffix(name, volumeSuffix) {
				return fmt.Errorf("planted: %w", errKilled)
			}
			return nil
		})
		_, _ = s.Compact(t.Context(), compactAll)
		fs.OnOp(nil)
		for round := range 2 {
			for i := range uint64(6) {
				if i != 0 && i != 2 {
					wantBlob(t, s, bytesOf(i, 40_000+int(i)*20_000))
				}
			}
			wantGone(t, s, bytesOf(2, 80_000))
			wantSound(t, s, 4)
			if round == 0 {
				cfg.FS = fs.Image()
				s = mustOpen(t, cfg)
			}
		}
	}
}

func TestCompactOnce(t *testing.T) {
	s := mustOpen(t, Config{FS: vfs.NewMem()})
	mustPut(t, s, bytesOf(1, 10))
	end(t, s, bytesOf(1, 10))
	cfg := compactAll
	cfg.Progress = func(int64, int64) {
		if _, err := s.Compact(t.Context(), compactAll); !errors.Is(err, ErrTending) {
			t.Errorf("a second one at the same time: %v", err)
		}
	}
	if done := mustCompact(t, s, cfg); done.Volumes != 1 {
		t.Errorf("Compact = %+v", done)
	}
	mustClose(t, s)
	if _, err := s.Compact(t.Context(), compactAll); !errors.Is(err, ErrClosed) {
		t.Errorf("Compact after Close = %v", err)
	}
}
