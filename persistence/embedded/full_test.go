package embedded

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

func openSmall(t *testing.T, fs *crashfs.FS, reserve uint64) *Store {
	t.Helper()
	s, err := Open(Config{Dir: "/store", FS: fs, Reserve: reserve, memTable: crashMem, retry: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// noise cannot be compressed.
func noise(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return string(b)
}

func mustPut(t *testing.T, s *Store, row int, version uint64, value string) {
	t.Helper()
	if err := s.Put(t.Context(), persistence.Mailbox, rowN(row), one(version, value)); err != nil {
		t.Fatalf("put row %d: %v", row, err)
	}
}

func wantValue(t *testing.T, s *Store, row int, want string) {
	t.Helper()
	got, err := s.Read(t.Context(), persistence.Mailbox, rowN(row), persistence.Exactly(persistence.Log, []byte("q")))
	if err != nil {
		t.Fatalf("read row %d: %v", row, err)
	}
	if len(got[0]) != 1 || string(got[0][0].Value) != want {
		t.Fatalf("row %d: got %.40v, want %.40q", row, got[0], want)
	}
}

// Commits end above the reserve, clearly; reads go on; space alone heals.
func TestFullDiskRefusesThenHeals(t *testing.T) {
	fs := crashfs.New(1)
	s := openSmall(t, fs, 1<<20)
	fs.SetSpace(3 << 20)
	value := noise(20_000)
	rows := 0
	for ; rows < 1000; rows++ {
		err := s.Put(t.Context(), persistence.Mailbox, rowN(rows), one(1, value))
		if err == nil {
			continue
		}
		if !errors.Is(err, persistence.ErrNoSpace) || persistence.Ambiguous(err) {
			t.Fatalf("put %d: got %v, want a clear ErrNoSpace", rows, err)
		}
		break
	}
	if rows == 0 || rows == 1000 {
		t.Fatalf("refused after %d rows", rows)
	}
	wantValue(t, s, rows-1, value)
	if err := s.Erase(t.Context(), persistence.Mailbox, rowN(0), persistence.Dead{Family: persistence.Log, Qualifier: []byte("q"), UpTo: 1}); err != nil {
		t.Errorf("erase, which makes space: %v", err)
	}
	fs.SetSpace(100 << 20)
	mustPut(t, s, rows, 1, "after")
	closed(t, s)
	s = openSmall(t, fs, 1<<20)
	defer closed(t, s)
	for i := 1; i < rows; i++ {
		wantValue(t, s, i, value)
	}
	wantValue(t, s, rows, "after")
}

// A disk that others fill in the middle of a write: the write waits, its caller
// may leave, others are refused, and with space it lands.
func TestWriteWaitsForSpace(t *testing.T) {
	fs := crashfs.New(1)
	s := openSmall(t, fs, 1<<20)
	mustPut(t, s, 1, 1, "before")
	var full atomic.Bool
	full.Store(true)
	fs.OnOp(func(_ int, op crashfs.Op, _ string) error {
		if full.Load() && op == crashfs.Write {
			return syscall.ENOSPC
		}
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { left <- s.Put(ctx, persistence.Mailbox, rowN(2), one(1, "waits")) }()
	<-s.medium.isFull()
	cancel()
	if err := <-left; !persistence.Ambiguous(err) || !errors.Is(err, persistence.ErrNoSpace) {
		t.Errorf("the caller that left: got %v, want ambiguous, no space", err)
	}
	if err := s.Put(t.Context(), persistence.Mailbox, rowN(3), one(1, "x")); !errors.Is(err, persistence.ErrNoSpace) || persistence.Ambiguous(err) {
		t.Errorf("the next caller: got %v, want a clear ErrNoSpace", err)
	}
	wantValue(t, s, 1, "before")
	full.Store(false)
	wantValue(t, s, 2, "waits") // the read waits for the commit
	mustPut(t, s, 3, 1, "after")
	closed(t, s)
}

// A full disk takes the first bytes of a write; the rest must follow at the right place.
func TestShortWriteGoesOn(t *testing.T) {
	fs := crashfs.New(1)
	s := openSmall(t, fs, 4)
	value := string(make([]byte, 1000))
	done := make(chan error)
	for space, waits := int64(1000), false; !waits; space++ { // until the commit fits, but not with the log's own bytes
		fs.SetSpace(space)
		go func() { done <- s.Put(t.Context(), persistence.Mailbox, rowN(1), one(1, value)) }()
		select {
		case err := <-done:
			if !errors.Is(err, persistence.ErrNoSpace) {
				t.Fatalf("put with %d bytes left: %v", space, err)
			}
		case <-s.medium.isFull():
			waits = true
		}
	}
	fs.SetSpace(10 << 20)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	fs.SetSpace(-1)
	s2 := openSmall(t, fs.Image(), 4)
	wantValue(t, s2, 1, value)
	closed(t, s2)
	s.Close()
}

func TestCloseDoesNotWaitForSpace(t *testing.T) {
	fs := crashfs.New(1)
	s := openSmall(t, fs, 1<<20)
	mustPut(t, s, 1, 1, "before")
	fs.OnOp(func(_ int, op crashfs.Op, _ string) error {
		if op == crashfs.Write {
			return syscall.ENOSPC
		}
		return nil
	})
	done := make(chan error)
	go func() { done <- s.Put(t.Context(), persistence.Mailbox, rowN(2), one(1, "x")) }()
	<-s.medium.isFull()
	if err := s.Close(); !errors.Is(err, ErrFailed) {
		t.Errorf("close: got %v, want ErrFailed", err)
	}
	if err := <-done; !persistence.Ambiguous(err) {
		t.Errorf("put: got %v, want ambiguous", err)
	}
	fs.OnOp(nil)
	s = openSmall(t, fs, 1<<20)
	wantValue(t, s, 1, "before")
	closed(t, s)
}

// Tables need space too; their writers wait and the commits that are in the log stay.
func TestTablesWaitForSpace(t *testing.T) {
	fs := crashfs.New(1)
	s := openSmall(t, fs, 1<<20)
	var full atomic.Bool
	full.Store(true)
	refused := make(chan struct{}, 1000)
	fs.OnOp(func(_ int, op crashfs.Op, name string) error {
		if full.Load() && op == crashfs.Write && isTable(name) {
			select {
			case refused <- struct{}{}:
			default:
			}
			return syscall.ENOSPC
		}
		return nil
	})
	value := string(make([]byte, 10_000))
	for i := range 15 { // more than a memtable, less than stops writes
		mustPut(t, s, i, 1, fmt.Sprint(i)+value)
	}
	<-refused
	for i := range 15 {
		wantValue(t, s, i, fmt.Sprint(i)+value)
	}
	full.Store(false)
	if err := s.db.Flush(); err != nil {
		t.Fatal(err)
	}
	closed(t, s)
}

func TestOpenOnFullDisk(t *testing.T) {
	fs := crashfs.New(1)
	fs.SetSpace(1000)
	if _, err := Open(Config{Dir: "/store", FS: fs}); !errors.Is(err, persistence.ErrNoSpace) {
		t.Errorf("got %v, want ErrNoSpace", err)
	}
}
