package embedded

import (
	"encoding/binary"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

func openOn(t *testing.T, fs *crashfs.FS) *Store {
	t.Helper()
	s, err := Open(Config{Dir: "/store", FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closed(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func rowN(i int) []byte { return binary.BigEndian.AppendUint32([]byte("row"), uint32(i)) }

func one(version uint64, value string) []persistence.Cell {
	return []persistence.Cell{{Family: persistence.Log, Qualifier: []byte("q"), Version: version, Value: []byte(value)}}
}

// The first commit syncs alone and the others, which came meanwhile, together.
func TestConcurrentCommitsShareSyncs(t *testing.T) {
	fs := crashfs.New(1)
	s := openOn(t, fs)
	defer closed(t, s)
	fs.SetSyncDelay(10 * time.Millisecond)
	before := fs.Syncs()
	var callers sync.WaitGroup
	for i := range 64 {
		callers.Go(func() {
			if err := s.Put(t.Context(), persistence.Mailbox, rowN(i), one(1, "v")); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	if got := fs.Syncs() - before; got > 4 {
		t.Errorf("64 commits on 64 rows took %d syncs, want at most 4", got)
	} else {
		t.Logf("64 commits, %d syncs", got)
	}
}

// Callers that commit one thing after the other all share each sync, instead of
// coming in two groups by turns. In the bubble they come back in no time.
func TestCallersThatComeBackShareSyncs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers, rounds = 64, 10
		fs := crashfs.New(1)
		s := openOn(t, fs)
		defer closed(t, s)
		fs.SetSyncDelay(10 * time.Millisecond)
		before, began := fs.Syncs(), time.Now()
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				for v := range uint64(rounds) {
					if err := s.Put(t.Context(), persistence.Mailbox, rowN(i), one(v+1, "v")); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if got := fs.Syncs() - before; got > rounds+2 {
			t.Errorf("%d commits of each of %d callers took %d syncs, want at most %d", rounds, callers, got, rounds+2)
		}
		if took := time.Since(began); took > 130*time.Millisecond {
			t.Errorf("%d commits, one after the other, took %v, want at most 13 syncs", rounds, took)
		}
		fs.SetSyncDelay(0)
	})
}

// Whoever is alone waits for its own sync and no longer.
func TestLoneCallerIsNotDelayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := crashfs.New(1)
		s := openOn(t, fs)
		defer closed(t, s)
		fs.SetSyncDelay(10 * time.Millisecond)
		began := time.Now()
		for v := range uint64(10) {
			if err := s.Put(t.Context(), persistence.Mailbox, rowN(0), one(v+1, "v")); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != 100*time.Millisecond {
			t.Errorf("10 commits took %v, want 100ms", took)
		}
		fs.SetSyncDelay(0)
	})
}
