package blob

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/crashfs"
)

// The cost budget: a blob is read with one disk read, counted by the disk itself,
// whatever the caller's buffer; from 1 MiB on ReadAt takes one for each MiB, Reader
// one for each 256 KiB.
func TestOneDiskRead(t *testing.T) {
	fs := crashfs.New(0)
	s := mustOpen(t, Config{FS: fs})
	for i, tc := range []struct{ size, readAt, reader int }{
		{0, 0, 0}, {1, 1, 1}, {1000, 1, 1}, {32 << 10, 1, 1}, {1<<20 - 1, 1, 1}, {1 << 20, 1, 4}, {2<<20 + 1, 3, 9},
	} {
		b := bytesOf(uint64(i), tc.size)
		mustPut(t, s, b)
		for name, read := range readings {
			t.Run(fmt.Sprintf("size=%d/%s", tc.size, name), func(t *testing.T) {
				before, counted := fs.Count(crashfs.Read), s.Counters()
				o, err := s.Open(t.Context(), sha256.Sum256(b))
				if err != nil {
					t.Fatal(err)
				}
				defer o.Close()
				if got, err := read(o); err != nil || !bytes.Equal(got, b) {
					t.Fatalf("read %d bytes, %v, want the %d put", len(got), err, len(b))
				}
				want := tc.reader
				if name == "whole" {
					want = tc.readAt
				}
				if got := fs.Count(crashfs.Read) - before; got != want {
					t.Errorf("%d disk reads, want %d", got, want)
				}
				after := s.Counters()
				if after.Reads-counted.Reads != 1 || after.DiskReads-counted.DiskReads != int64(fs.Count(crashfs.Read)-before) {
					t.Errorf("Counters %+v, before %+v", after, counted)
				}
			})
		}
	}
}

var readings = map[string]func(b Blob) ([]byte, error){
	"whole": func(b Blob) ([]byte, error) {
		p := make([]byte, b.Size())
		_, err := b.ReadAt(p, 0)
		return p, err
	},
	"reader": func(b Blob) ([]byte, error) { return io.ReadAll(NewReader(b)) },
	"copy": func(b Blob) ([]byte, error) {
		var out bytes.Buffer
		_, err := io.Copy(&out, NewReader(b))
		return out.Bytes(), err
	},
}

func TestReader(t *testing.T) {
	s := mustOpen(t, Config{FS: vfs.NewMem()})
	for i, n := range []int{0, 1, 1000, chunkBytes + 1, 1<<20 + 300_000} {
		b := bytesOf(uint64(i), n)
		mustPut(t, s, b)
		o, err := s.Open(t.Context(), sha256.Sum256(b))
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		if n < 100_000 { // TestReader reads byte by byte, too
			if err := iotest.TestReader(NewReader(o), b); err != nil {
				t.Errorf("size %d: %v", n, err)
			}
			if err := iotest.TestReader(io.NewSectionReader(o, 0, o.Size()), b); err != nil {
				t.Errorf("size %d, section: %v", n, err)
			}
		}
		checkRanges(t, o, b)
	}
}

// checkRanges reads random ranges, from several goroutines, and past both ends.
func checkRanges(t *testing.T, o Blob, b []byte) {
	t.Helper()
	var all sync.WaitGroup
	for seed := range uint64(4) {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 1))
			for range 30 {
				off, n := rng.IntN(len(b)+10), rng.IntN(300_000)
				p := make([]byte, n)
				got, err := o.ReadAt(p, int64(off))
				want := b[min(off, len(b)):min(off+n, len(b))]
				if !bytes.Equal(p[:got], want) || (err == io.EOF) != (got < n) || err != nil && err != io.EOF {
					t.Errorf("ReadAt(%d bytes at %d of %d) = %d, %v", n, off, len(b), got, err)
				}
			}
		})
	}
	all.Wait()
	if _, err := o.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("ReadAt took a negative offset")
	}
}

func TestServedByHTTP(t *testing.T) {
	s := mustOpen(t, Config{FS: vfs.NewMem()})
	b := bytesOf(1, 2<<20)
	mustPut(t, s, b)
	o, err := s.Open(t.Context(), sha256.Sum256(b))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for _, tc := range []struct {
		header   string
		from, to int
	}{{"", 0, 2 << 20}, {"bytes=0-9", 0, 10}, {"bytes=70000-2000000", 70000, 2000001}, {"bytes=-5", 2<<20 - 5, 2 << 20}} {
		w, req := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
		if tc.header != "" {
			req.Header.Set("Range", tc.header)
		}
		http.ServeContent(w, req, "a.bin", time.Time{}, NewReader(o))
		if !bytes.Equal(w.Body.Bytes(), b[tc.from:tc.to]) {
			t.Errorf("%q: %d bytes, want %d to %d", tc.header, w.Body.Len(), tc.from, tc.to)
		}
	}
}

func TestOpenBlobOutlivesClose(t *testing.T) {
	for _, n := range []int{1000, 2 << 20} {
		s := mustOpen(t, Config{FS: vfs.NewMem()})
		b := bytesOf(1, n)
		mustPut(t, s, b)
		o, err := s.Open(t.Context(), sha256.Sum256(b))
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, s)
		if got, err := io.ReadAll(NewReader(o)); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("after Close of the store: %d bytes, %v", len(got), err)
		}
		if err := errors.Join(o.Close(), o.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := o.ReadAt(make([]byte, 1), 0); !errors.Is(err, ErrClosed) {
			t.Fatalf("ReadAt after Close = %v, want ErrClosed", err)
		}
		if _, err := s.Open(t.Context(), sha256.Sum256(b)); !errors.Is(err, ErrClosed) {
			t.Fatalf("Open after Close = %v, want ErrClosed", err)
		}
	}
}

// An index that names another's place is found out: by a whole read and by Check.
func TestWrongPlaceInIndex(t *testing.T) {
	for _, n := range []int{1000, 2 << 20} {
		s := mustOpen(t, Config{FS: vfs.NewMem()})
		ref := mustPut(t, s, bytesOf(1, n))
		other := parley.Digest(sha256.Sum256([]byte("other")))
		s.index.places[other] = s.index.places[ref.Digest]
		o, err := s.Open(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		for name, read := range readings {
			if _, err := read(o); !errors.Is(err, ErrDamaged) {
				t.Errorf("size %d, %s: %v, want ErrDamaged", n, name, err)
			}
		}
		if r, err := s.Check(t.Context(), nil); err != nil || r.IndexDangling != 1 || r.Blobs != 1 {
			t.Errorf("Check = %+v, %v, want one blob dangling", r, err)
		}
	}
}
