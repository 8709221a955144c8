package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
)

func TestPutRefuses(t *testing.T) {
	boom := parley.E(parley.BadContent, "smtp.data", "bare line feed")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	large := bytesOf(1, 300_000)
	for _, tc := range []struct {
		name string
		ctx  context.Context
		r    io.Reader
		want parley.Code
		is   error
	}{
		{"too large by one byte", t.Context(), bytes.NewReader(large[:200_001]), parley.TooLarge, nil},
		{"too large, streamed", t.Context(), bytes.NewReader(large), parley.TooLarge, nil},
		{"reader fails", t.Context(), iotest.ErrReader(boom), parley.BadContent, boom},
		{"reader fails in a stream", t.Context(), io.MultiReader(bytes.NewReader(large[:150_000]), iotest.ErrReader(boom)), parley.BadContent, boom},
		{"sender cut off", t.Context(), io.MultiReader(bytes.NewReader(large[:9]), iotest.ErrReader(io.ErrUnexpectedEOF)), parley.Internal, io.ErrUnexpectedEOF},
		{"sender of a stream cut off", t.Context(), io.MultiReader(bytes.NewReader(large[:150_000]), iotest.ErrReader(io.ErrUnexpectedEOF)), parley.Internal, io.ErrUnexpectedEOF},
		{"caller gone", ended, bytes.NewReader(large), parley.Unavailable, context.Canceled},
		{"reader without progress", t.Context(), idle{}, parley.Internal, io.ErrNoProgress},
	} {
		t.Run(tc.name, func(t *testing.T) {
			mem := vfs.NewMem()
			s := mustOpen(t, Config{FS: mem, MaxBytes: 200_000, small: chunkBytes})
			_, err := s.Put(tc.ctx, tc.r)
			if err == nil || parley.CodeOf(err) != tc.want || tc.is != nil && !errors.Is(err, tc.is) {
				t.Fatalf("Put = %v (code %d), want code %d, %v", err, parley.CodeOf(err), tc.want, tc.is)
			}
			mustPut(t, s, large[:200_000])
			mustPut(t, s, large[:100])
			wantSound(t, s, 2)
			mustClose(t, s)
			s = mustOpen(t, Config{FS: mem})
			if r := s.Recovered(); r.CutBytes != 0 || r.Blobs != 2 {
				t.Fatalf("Recovered = %+v, want nothing to cut", r)
			}
		})
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// Uploads that were begun and dropped leave no volumes behind.
func TestDroppedUploadsLeaveNothing(t *testing.T) {
	mem := vfs.NewMem()
	s := mustOpen(t, Config{FS: mem, small: chunkBytes})
	for range 5 {
		s.Put(t.Context(), brokenAfter(make([]byte, 200_000)))
	}
	if names, _ := mem.List("blobs"); len(names) != 1 {
		t.Fatalf("folder holds %v, want the lock alone", names)
	}
}

func TestPutOfTheSameRenewsTheDate(t *testing.T) {
	for _, size := range []int{10, 100_000} {
		mem, clock := vfs.NewMem(), newClock()
		s := mustOpen(t, Config{FS: mem, Now: clock.now, small: chunkBytes})
		b := bytesOf(3, size)
		ref := mustPut(t, s, b)
		put := s.Counters()
		clock.advance(30 * time.Minute)
		mustPut(t, s, b)
		if got := s.Counters(); got.Appended != put.Appended || got.Syncs != put.Syncs {
			t.Fatalf("a fresh blob was put again: %+v, before %+v", got, put)
		}
		clock.advance(time.Hour)
		mustPut(t, s, b)
		if got := s.Counters().Appended - put.Appended; got != headerBytes {
			t.Fatalf("a renewal took %d bytes, want %d", got, headerBytes)
		}
		want := Info{Ref: ref, Date: clock.now()}
		wantInfo(t, s, want)
		mustClose(t, s)
		s = mustOpen(t, Config{FS: mem, Now: clock.now})
		wantInfo(t, s, want)
		if r := wantSound(t, s, 1); r.Renewals != 1 || r.Copies != 0 {
			t.Fatalf("Check = %+v, want one renewal and no copy", r)
		}
	}
}

func wantInfo(t *testing.T, s *Volumes, want Info) {
	t.Helper()
	if got, err := s.Stat(t.Context(), want.Digest); err != nil || got != want {
		t.Fatalf("Stat = %+v, %v, want %+v", got, err, want)
	}
}

func TestConcurrentPutsShareSyncs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := crashfs.New(1)
		s := mustOpen(t, Config{FS: fs})
		mustPut(t, s, nil) // makes the volume
		fs.SetSyncDelay(10 * time.Millisecond)
		before := fs.Syncs()
		var all sync.WaitGroup
		for caller := range 64 {
			all.Go(func() {
				for i := range 10 {
					mustPut(t, s, bytesOf(uint64(caller*100+i+1), 2000))
				}
			})
		}
		all.Wait()
		if got := fs.Syncs() - before; got > 12 {
			t.Errorf("640 puts of 64 callers took %d syncs, want at most 12", got)
		}
		if got := int(s.Counters().Syncs); got != fs.Syncs() {
			t.Errorf("Counters.Syncs = %d, the disk saw %d", got, fs.Syncs())
		}
		mustClose(t, s)
	})
}

// Of many puts of the same bytes at once one is stored.
func TestConcurrentPutsOfOneBlob(t *testing.T) {
	s := mustOpen(t, Config{FS: vfs.NewMem()})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { mustPut(t, s, bytesOf(1, 5000)) })
	}
	all.Wait()
	if r := wantSound(t, s, 1); r.Copies != 0 || r.Needles != 1 {
		t.Fatalf("Check = %+v, want one needle", r)
	}
}

// A sender that stalls in the middle of a blob holds up nobody, small or large.
func TestSlowSenderBlocksNobody(t *testing.T) {
	s := mustOpen(t, Config{FS: vfs.NewMem(), small: chunkBytes})
	type slow struct {
		w    *io.PipeWriter
		done chan error
	}
	var senders []slow
	for i, head := range []int{10, 200_000, 150_000} {
		r, w := io.Pipe()
		one := slow{w, make(chan error, 1)}
		go func() { _, err := s.Put(t.Context(), r); one.done <- err }()
		w.Write(bytesOf(uint64(i), head))
		senders = append(senders, one)
	}
	for i := range 20 {
		mustPut(t, s, bytesOf(uint64(100+i), 1000+i*7000))
	}
	for _, one := range senders {
		one.w.Close()
		if err := <-one.done; err != nil {
			t.Fatal(err)
		}
	}
	wantSound(t, s, 23)
}

// Close does not wait for a sender, and what a sender sends later goes nowhere.
func TestCloseDuringUploads(t *testing.T) {
	mem := vfs.NewMem()
	s := mustOpen(t, Config{FS: mem, small: chunkBytes})
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { _, err := s.Put(t.Context(), r); done <- err }()
	w.Write(make([]byte, 200_000))
	mustClose(t, s)
	go func() { w.Write(make([]byte, 200_000)); w.Close() }()
	if err := <-done; !errors.Is(err, ErrClosed) || parley.CodeOf(err) != parley.Unavailable {
		t.Fatalf("Put over a Close = %v, want ErrClosed", err)
	}
	if _, err := s.Put(t.Context(), bytes.NewReader([]byte("late"))); !errors.Is(err, ErrClosed) {
		t.Fatalf("Put after Close = %v, want ErrClosed", err)
	}
	s = mustOpen(t, Config{FS: mem})
	mustPut(t, s, []byte("later"))
	wantSound(t, s, 1)
}

func TestVolumesRoll(t *testing.T) {
	mem := vfs.NewMem()
	s := mustOpen(t, Config{FS: mem, VolumeBytes: 100_000})
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range 100 {
		mustPut(t, s, bytesOf(uint64(i), rng.IntN(20_000)))
	}
	if n := len(s.all); n < 8 || n > 12 {
		t.Fatalf("about 1 MB lies in %d volumes of 100 kB", n)
	}
	wantSound(t, s, 100)
	mustClose(t, s)
	s = mustOpen(t, Config{FS: mem, VolumeBytes: 100_000})
	if got := s.Recovered(); got.Blobs != 100 || got.CutBytes != 0 {
		t.Fatalf("Recovered = %+v, want 100 blobs", got)
	}
	wantSound(t, s, 100)
}

func TestNotFound(t *testing.T) {
	s := mustOpen(t, Config{FS: vfs.NewMem()})
	d := parley.Digest(sha256.Sum256([]byte("nowhere")))
	if _, err := s.Open(t.Context(), d); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("Open = %v, want NotFound", err)
	}
	if _, err := s.Stat(t.Context(), d); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("Stat = %v, want NotFound", err)
	}
}
