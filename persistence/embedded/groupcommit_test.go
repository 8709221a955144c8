package embedded

import (
	"encoding/binary"
	"sync"
	"testing"
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
