package blob

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

// puts are blobs of all kinds: small, streamed, empty.
func puts(seed uint64) [][]byte {
	var all [][]byte
	for i, n := range []int{700, 0, 90_000, 3000, 200_000, 5} {
		all = append(all, bytesOf(seed<<8|uint64(i), n))
	}
	return all
}

func TestFullDiskHealsBySpaceAlone(t *testing.T) {
	for space := int64(0); space < 290_000; space = space*5/4 + 50 {
		fs := crashfs.New(uint64(space))
		cfg := Config{FS: fs, small: chunkBytes}
		s := mustOpen(t, cfg)
		before := mustPut(t, s, bytesOf(9, 1000))
		fs.SetSpace(space)
		refused := map[parley.Digest]bool{}
		for _, b := range puts(1) {
			if _, err := s.Put(t.Context(), bytes.NewReader(b)); err != nil {
				wantFull(t, err)
				refused[sha256.Sum256(b)] = true
			}
		}
		if len(refused) == 0 {
			t.Fatalf("%d bytes were enough", space)
		}
		fs.SetSpace(-1)
		wantThere(t, s, refused, puts(1))
		for _, b := range puts(1) {
			mustPut(t, s, b)
		}
		wantThere(t, s, nil, puts(1))
		wantSound(t, s, 7)
		checkAfterLoss(t, cfg, fs, before)
	}
}

func wantFull(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, persistence.ErrNoSpace) || parley.CodeOf(err) != parley.DiskFull {
		t.Fatalf("Put on a full disk = %v, want ErrNoSpace as DiskFull", err)
	}
}

// What is kept free stays free; blobs that are here are renewed and read all the same.
func TestReserve(t *testing.T) {
	fs, clock := crashfs.New(0), newClock()
	s := mustOpen(t, Config{FS: fs, small: chunkBytes, Reserve: 1 << 20, Now: clock.now})
	mustPut(t, s, bytesOf(1, 1000))
	fs.SetSpace(1 << 20)
	clock.advance(2 * time.Hour)
	mustPut(t, s, bytesOf(1, 1000))
	wantBlob(t, s, bytesOf(1, 1000))
	for _, n := range []int{1000, 200_000} {
		_, err := s.Put(t.Context(), bytes.NewReader(bytesOf(2, n)))
		wantFull(t, err)
	}
	fs.SetSpace(1<<20 + 500_000)
	for _, n := range []int{1000, 200_000} {
		mustPut(t, s, bytesOf(2, n))
	}
	wantSound(t, s, 3)
}

// wantThere looks for all blobs but those refused, which must be absent.
func wantThere(t *testing.T, s *Volumes, refused map[parley.Digest]bool, all [][]byte) {
	t.Helper()
	for _, b := range all {
		if refused[sha256.Sum256(b)] {
			if _, err := s.Open(t.Context(), sha256.Sum256(b)); parley.CodeOf(err) != parley.NotFound {
				t.Fatalf("refused blob: %v, want NotFound", err)
			}
			continue
		}
		wantBlob(t, s, b)
	}
}

// checkAfterLoss takes the power away and finds everything, with nothing to cut:
// what the failed appends left is covered already.
func checkAfterLoss(t *testing.T, cfg Config, fs *crashfs.FS, before Ref) {
	t.Helper()
	image := fs.Image()
	cfg.FS = image
	s := mustOpen(t, cfg)
	defer s.Close()
	wantThere(t, s, nil, append(puts(1), bytesOf(9, int(before.Size))))
	wantSound(t, s, 7)
	if r := s.Recovered(); r.CutBytes != 0 || r.DamageCount != 0 {
		t.Fatalf("Recovered = %+v, want nothing to cut", r)
	}
}

// failing fails operations of one kind on volumes while it is armed.
type failing struct {
	op   crashfs.Op
	left int
	err  error
}

func (f *failing) hook(_ int, op crashfs.Op, name string) error {
	if op == f.op && strings.HasSuffix(name, volumeSuffix) && f.left > 0 {
		f.left--
		return f.err
	}
	return nil
}

func TestFailedSyncOrWriteSealsTheVolume(t *testing.T) {
	for _, tc := range []struct {
		name string
		fail failing
		size int
		want parley.Code // of the put during the failure; 0 for success
	}{
		{"sync once", failing{crashfs.Sync, 1, syscall.EIO}, 500, 0},
		{"write once", failing{crashfs.Write, 1, syscall.EIO}, 500, 0},
		{"sync finds the disk full", failing{crashfs.Sync, 1, syscall.ENOSPC}, 500, 0},
		{"sync again and again", failing{crashfs.Sync, 9, syscall.EIO}, 500, parley.Unavailable},
		{"sync finds the disk full again", failing{crashfs.Sync, 9, syscall.ENOSPC}, 500, parley.DiskFull},
		{"sync of a large one", failing{crashfs.Sync, 1, syscall.EIO}, 200_000, parley.Unavailable},
		{"sync of a large one finds the disk full", failing{crashfs.Sync, 1, syscall.ENOSPC}, 200_000, parley.DiskFull},
		{"write of a large one", failing{crashfs.Write, 1, syscall.EIO}, 200_000, parley.Unavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for seed := range uint64(5) {
				tryFailure(t, crashfs.New(seed), tc.fail, tc.size, tc.want)
			}
		})
	}
}

func tryFailure(t *testing.T, fs *crashfs.FS, fail failing, size int, want parley.Code) {
	cfg := Config{FS: fs, small: chunkBytes}
	s := mustOpen(t, cfg)
	mustPut(t, s, bytesOf(2, 100))
	mustPut(t, s, bytesOf(1, 100_000)) // a second volume, since the first is leased
	fs.OnOp(fail.hook)
	_, err := s.Put(t.Context(), bytes.NewReader(bytesOf(3, size)))
	if err != nil && parley.CodeOf(err) != want || err == nil && want != 0 {
		t.Fatalf("Put = %v, want code %d", err, want)
	}
	fs.OnOp(nil)
	mustPut(t, s, bytesOf(3, size))
	mustPut(t, s, bytesOf(4, 100))
	wantSound(t, s, 4)
	before := s.all
	cfg.FS = fs.Image()
	s = mustOpen(t, cfg)
	for n, v := range before {
		if got := s.all[n]; v.sealed && (!got.sealed || got.end.Load() != v.end.Load()) {
			t.Fatalf("volume %d was sealed at %d and is open at %d", n, v.end.Load(), got.end.Load())
		}
	}
	for i, n := range []int{100_000, 100, size, 100} {
		wantBlob(t, s, bytesOf(uint64(i+1), n))
	}
	wantSound(t, s, 4)
}

// What a failed upload wrote is covered by the append that follows.
func TestAppendsCoverWhatFailed(t *testing.T) {
	fs := crashfs.New(0)
	cfg := Config{FS: fs, small: chunkBytes}
	s := mustOpen(t, cfg)
	mustPut(t, s, bytesOf(1, 200_000)) // volume 1 is free again
	s.Put(t.Context(), brokenAfter(bytesOf(2, 300_000)))
	mustPut(t, s, bytesOf(3, 66_000))
	r := wantSound(t, s, 2)
	if r.CutBytes == 0 {
		t.Fatalf("Check = %+v, want a cut", r)
	}
	mustClose(t, s)
	s = mustOpen(t, cfg)
	if r := s.Recovered(); r.CutBytes != 0 {
		t.Fatalf("Recovered = %+v, want nothing to cut", r)
	}
	wantSound(t, s, 2)
}
