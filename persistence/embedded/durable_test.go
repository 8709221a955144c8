package embedded

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

// A read and a scan wait for the commit before them, as long as their context lets them.
func TestReadWaitsUntilDurable(t *testing.T) {
	fs := crashfs.New(1)
	s := openOn(t, fs)
	defer closed(t, s)
	entered, hold := make(chan struct{}), make(chan struct{})
	fs.OnOp(func(_ int, op crashfs.Op, name string) error {
		if op == crashfs.Sync && filepath.Ext(name) == ".log" {
			entered <- struct{}{}
			<-hold
		}
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Put(ctx, persistence.Mailbox, rowN(1), one(1, "v")) }()
	<-entered
	short := func() context.Context {
		ctx, end := context.WithTimeout(t.Context(), 20*time.Millisecond)
		t.Cleanup(end)
		return ctx
	}
	if _, err := s.Read(short(), persistence.Mailbox, rowN(1), persistence.Exactly(persistence.Log, []byte("q"))); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a read before the sync: got %v, want the deadline", err)
	}
	if _, err := s.Rows(short(), persistence.Mailbox, nil, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a scan before the sync: got %v, want the deadline", err)
	}
	if err := s.Put(short(), persistence.Mailbox, rowN(1), one(2, "w")); !errors.Is(err, context.DeadlineExceeded) || persistence.Ambiguous(err) {
		t.Errorf("a put behind it: got %v, want the deadline, clearly", err)
	}
	wantOther(t, s)
	cancel() // too late: the commit is under way and its outcome will be known
	select {
	case err := <-done:
		t.Fatalf("the commit came back before its sync: %v", err)
	default:
	}
	fs.OnOp(nil)
	close(hold)
	if err := <-done; err != nil {
		t.Errorf("commit: %v", err)
	}
	wantValue(t, s, 1, "v")
}

// wantOther reads a row that nobody writes.
func wantOther(t *testing.T, s *Store) {
	t.Helper()
	got, err := s.Read(t.Context(), persistence.Mailbox, rowN(9), persistence.Exactly(persistence.Log, []byte("q")))
	if err != nil || len(got[0]) != 0 {
		t.Errorf("another row: got %v, %v, want nothing", got, err)
	}
}
