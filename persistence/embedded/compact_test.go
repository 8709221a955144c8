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
	if name := inLogs(t, s, fs, secret); name != "" {
		t.Errorf("the erased value is still in %s", name)
	}
	mustPut(t, s, 1, 2, secret)
	if inLogs(t, s, fs, secret) == "" {
		t.Error("the log does not go on, or the test cannot see values in it")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Compact(ended, persistence.Mailbox, rowN(1)); err == nil {
		t.Error("compact ran in an ended context")
	}
}

// inLogs looks into all logs, those too that Pebble does not read any more.
func inLogs(t *testing.T, s *Store, fs *crashfs.FS, value string) string {
	t.Helper()
	names, err := s.medium.logs()
	if err != nil || len(names) == 0 {
		t.Fatalf("logs %v: %v", names, err)
	}
	for _, name := range names {
		f, err := fs.Open("/store/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(all, []byte(value)) {
			return name
		}
	}
	return ""
}

// TestCompactOften has Pebble find the logs gone that it meant to write over.
func TestCompactOften(t *testing.T) {
	fs := crashfs.New(1)
	s := openOn(t, fs)
	for i := range 40 {
		mustPut(t, s, i, uint64(i+1), noise(3000))
		if i%3 == 0 {
			compact(t, s, i)
		}
		if err := s.db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, s)
	s = openOn(t, fs)
	defer closed(t, s)
	for i := range 40 {
		got, err := s.Read(t.Context(), persistence.Mailbox, rowN(i), persistence.Range{Family: persistence.Log, Limit: 2})
		if err != nil || len(got[0]) != 1 || len(got[0][0].Value) != 3000 {
			t.Errorf("row %d: %d cells, %v", i, len(got[0]), err)
		}
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
