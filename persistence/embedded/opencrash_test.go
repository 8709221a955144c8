package embedded

import (
	"errors"
	"fmt"
	"testing"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

// TestPowerLossWhileOpening lets the power go at each operation of a reopening,
// with some of what was not synced kept, and opens again.
func TestPowerLossWhileOpening(t *testing.T) {
	for _, keep := range []int{0, 25, 50, 75, 100} {
		t.Run(fmt.Sprint("keep=", keep), func(t *testing.T) {
			for seed := range uint64(2) {
				before := closedStore(t, seed)
				for point := 1; losesPower(t, before, keep, point); point++ {
				}
			}
		})
	}
}

// kept is what the store holds.
var kept = []persistence.Cell{{Family: persistence.Log, Qualifier: []byte("q"), Version: 1, Value: []byte("kept")}}

// closedStore is a disk with a store that was closed.
func closedStore(t *testing.T, seed uint64) *crashfs.FS {
	t.Helper()
	fs := crashfs.New(seed)
	s, err := Open(Config{Dir: "/data/store", FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Put(t.Context(), persistence.Mailbox, []byte("row"), kept), s.Close()); err != nil {
		t.Fatal(err)
	}
	return fs
}

// losesPower opens the store with the power going at an operation, and reports
// whether there was such an operation.
func losesPower(t *testing.T, before *crashfs.FS, keep, point int) bool {
	t.Helper()
	fs := before.Image()
	fs.Keep(keep)
	fs.CrashAt(point)
	s, err := Open(Config{Dir: "/data/store", FS: fs})
	if err == nil {
		err = s.Close()
	}
	select {
	case <-fs.Crashed():
	default:
		if err != nil {
			t.Fatal(err)
		}
		return false
	}
	s, err = Open(Config{Dir: "/data/store", FS: fs.Image()})
	if err != nil {
		t.Fatalf("point %d: %v", point, err)
	}
	got, err := s.Read(t.Context(), persistence.Mailbox, []byte("row"), persistence.Exactly(persistence.Log, []byte("q")))
	if err := errors.Join(err, s.Close()); err != nil || len(got[0]) != 1 || string(got[0][0].Value) != "kept" {
		t.Fatalf("point %d: %v %v", point, got, err)
	}
	return true
}
