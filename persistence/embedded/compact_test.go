package embedded

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

func TestCompactRemovesErased(t *testing.T) {
	fs := crashfs.New(1)
	s := openOn(t, fs)
	defer closed(t, s)
	secret := noise(2000)
	mustPut(t, s, 1, 1, secret)
	mustPut(t, s, 2, 1, "other")
	compact(t, s, 1)
	if !inTables(t, s, fs, secret) {
		t.Fatal("the value is in no table, so the test cannot see it go")
	}
	dead := persistence.Dead{Family: persistence.Log, Qualifier: []byte("q"), UpTo: 1}
	if err := s.Erase(t.Context(), persistence.Mailbox, rowN(1), dead); err != nil {
		t.Fatal(err)
	}
	compact(t, s, 1)
	if inTables(t, s, fs, secret) {
		t.Error("the erased value is still in a table")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Compact(ended, persistence.Mailbox, rowN(1)); err == nil {
		t.Error("compact ran in an ended context")
	}
}

func compact(t *testing.T, s *Store, row int) {
	t.Helper()
	if err := s.Compact(t.Context(), persistence.Mailbox, rowN(row)); err != nil {
		t.Fatal(err)
	}
}

// inTables looks into the live tables for a value that compression leaves as it is.
func inTables(t *testing.T, s *Store, fs *crashfs.FS, value string) bool {
	t.Helper()
	levels, err := s.db.SSTables()
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range levels {
		for _, table := range level {
			f, err := fs.Open(fmt.Sprintf("/store/%06d.sst", table.FileNum))
			if err != nil {
				t.Fatal(err)
			}
			all, err := io.ReadAll(f)
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(all, []byte(value)) {
				return true
			}
		}
	}
	return false
}
