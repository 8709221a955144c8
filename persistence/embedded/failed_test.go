package embedded

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

// What stops the log or the manifest stops writes, and only writes, until the store is opened again.
func TestFailedDiskStopsWrites(t *testing.T) {
	for _, tc := range []struct {
		op   crashfs.Op
		file string
		err  error
	}{
		{crashfs.Write, ".log", syscall.EIO},
		{crashfs.Sync, ".log", syscall.EIO},
		{crashfs.Sync, ".log", syscall.ENOSPC}, // what it covered may be lost, so no second try
		{crashfs.Create, ".log", syscall.EIO},
		{crashfs.Write, "MANIFEST", syscall.EIO},
		{crashfs.Sync, "MANIFEST", syscall.EIO},
		{crashfs.Create, ".sst", syscall.EIO},
		{crashfs.Write, ".sst", syscall.EIO},
		{crashfs.SyncDir, "/store", syscall.EIO},
	} {
		t.Run(fmt.Sprintf("%v %s %v", tc.op, tc.file, tc.err), func(t *testing.T) {
			fs := crashfs.New(1)
			s := openSmall(t, fs, 1<<20)
			mustPut(t, s, 0, 1, "first")
			fs.OnOp(func(_ int, op crashfs.Op, name string) error {
				if op == tc.op && strings.Contains(name, tc.file) {
					return tc.err
				}
				return nil
			})
			acked := putUntilFailed(t, s, tc.err)
			if err := s.Put(t.Context(), persistence.Mailbox, rowN(5000), one(1, "x")); !errors.Is(err, ErrFailed) || persistence.Ambiguous(err) {
				t.Errorf("the next put: got %v, want a clear ErrFailed", err)
			}
			for i := range acked {
				wantValue(t, s, i, fmt.Sprint(i)+filler)
			}
			if err := s.Close(); !errors.Is(err, ErrFailed) {
				t.Errorf("close: got %v, want ErrFailed", err)
			}
			fs.OnOp(nil)
			s = openSmall(t, fs.Image(), 1<<20)
			for i := range acked {
				wantValue(t, s, i, fmt.Sprint(i)+filler)
			}
			mustPut(t, s, 5000, 1, "works again")
			closed(t, s)
		})
	}
}

var filler = strings.Repeat("x", 10_000)

// putUntilFailed fills rows, so that memtables are flushed, and gives how many were acknowledged.
func putUntilFailed(t *testing.T, s *Store, cause error) int {
	t.Helper()
	for i := range 2000 {
		err := s.Put(t.Context(), persistence.Mailbox, rowN(i), one(2, fmt.Sprint(i)+filler))
		if err == nil {
			continue
		}
		if !errors.Is(err, ErrFailed) || !errors.Is(err, cause) {
			t.Fatalf("put %d: got %v, want ErrFailed with %v", i, err, cause)
		}
		if !persistence.Ambiguous(err) {
			return i
		}
		// Nobody knows, so nobody may see it before the store is opened again;
		// unless it landed while the disk failed elsewhere, and then it stays.
		_, err = s.Read(t.Context(), persistence.Mailbox, rowN(i), persistence.Exactly(persistence.Log, []byte("q")))
		if err == nil {
			return i + 1
		}
		if !errors.Is(err, ErrFailed) {
			t.Fatalf("read of the row: got %v, want ErrFailed", err)
		}
		if rows, err := s.Rows(t.Context(), persistence.Mailbox, rowN(i), 1); len(rows) > 0 || err != nil && !errors.Is(err, ErrFailed) {
			t.Fatalf("rows at the row: got %x, %v, want ErrFailed or nothing", rows, err)
		}
		return i
	}
	t.Fatal("2000 puts and no failure")
	return 0
}

// Open fails at each of its operations, once or from then on. It must say so,
// without a hang, and the next Open succeed.
func TestOpenFailsAtAnyOperation(t *testing.T) {
	for _, cause := range []error{syscall.EIO, syscall.ENOSPC} {
		for _, forever := range []bool{false, true} {
			nth := 1
			for openFailing(t, nth, forever, cause) {
				nth++
			}
			t.Logf("%v, forever %t: Open has %d operations", cause, forever, nth-1)
		}
	}
}

// openFailing reports whether Open came as far as its nth operation.
func openFailing(t *testing.T, nth int, forever bool, cause error) bool {
	t.Helper()
	fs := crashfs.New(1)
	s := openSmall(t, fs, 4)
	for i := range 3 {
		mustPut(t, s, i, 1, filler)
	}
	fs = fs.Image()
	s.Close()
	var left atomic.Int64
	left.Store(int64(nth))
	fs.OnOp(func(int, crashfs.Op, string) error {
		if n := left.Add(-1); n == 0 || n < 0 && forever {
			return cause
		}
		return nil
	})
	s, err := Open(Config{Dir: "/store", FS: fs, Reserve: 4, memTable: crashMem})
	came := left.Load() <= 0
	if err == nil { // the failure hit what Open can do without, or nothing
		s.Close()
	}
	fs.OnOp(nil)
	s = openSmall(t, fs, 4)
	for i := range 3 {
		wantValue(t, s, i, filler)
	}
	closed(t, s)
	return came
}

// One operation of a working store fails; what was acknowledged is there when it is opened again.
func TestFailureAtAnyOperation(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		fs := crashfs.New(seed)
		rows := make([]crashRow, crashWriters)
		s, err := Open(Config{Dir: "/store", FS: fs, memTable: crashMem})
		if err != nil {
			t.Fatal(err)
		}
		at := fs.Ops() + 1 + rng.IntN(400)
		fs.OnOp(func(n int, op crashfs.Op, _ string) error {
			if n >= at && op != crashfs.Remove && op != crashfs.Allocate { // it can do without those
				return syscall.EIO
			}
			return nil
		})
		work(t.Context(), s, rows, rng)
		s.Close()
		if s, err = Open(Config{Dir: "/store", FS: fs.Image(), memTable: crashMem}); err != nil {
			t.Fatalf("seed %d: open again: %v", seed, err)
		}
		for i := range rows {
			if err := rows[i].verify(t.Context(), s, rowN(i)); err != nil {
				t.Errorf("seed %d, row %d: %v", seed, i, err)
			}
		}
		closed(t, s)
	}
}
