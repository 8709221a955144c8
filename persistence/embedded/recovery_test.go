package embedded

import (
	"bytes"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

// The log is cut inside its last record, which then is gone; the others are not.
func TestTornLog(t *testing.T) {
	fs := crashfs.New(4)
	fs.Keep(100)
	s := openOn(t, fs)
	for i := range 5 {
		mustPut(t, s, i, 1, "value")
	}
	after := fs.Image()
	s.Close()
	cutLog(t, after, 3)
	var log bytes.Buffer
	s, err := Open(Config{Dir: "/store", FS: after, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, s)
	if got := s.Recovered(); got.Torn != 1 || got.Records != 5 || got.At == 0 { // the layout and four rows
		t.Errorf("recovered %+v, want 5 records and 1 torn", got)
	}
	if !strings.Contains(log.String(), "never acknowledged") {
		t.Errorf("the log does not say it: %s", log.String())
	}
	rows, err := s.Rows(t.Context(), persistence.Mailbox, nil, 10)
	if err != nil || len(rows) != 4 {
		t.Errorf("got %d rows, %v, want 4", len(rows), err)
	}
	mustPut(t, s, 4, 1, "value")
}

// A log that just ends is not torn.
func TestWholeLog(t *testing.T) {
	fs := crashfs.New(4)
	s := openOn(t, fs)
	mustPut(t, s, 0, 1, "value")
	after := fs.Image()
	s.Close()
	s = openOn(t, after)
	defer closed(t, s)
	if got := s.Recovered(); got.Torn != 0 || got.Records != 2 {
		t.Errorf("recovered %+v, want 2 records, none torn", got)
	}
}

// cutLog takes n bytes from the end of the newest log.
func cutLog(t *testing.T, fs vfs.FS, n int) {
	t.Helper()
	names, err := fs.List("/store")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(names, func(s string) bool { return filepath.Ext(s) != ".log" })
	name := fs.PathJoin("/store", names[len(names)-1])
	f, err := fs.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if f, err = fs.Create(name, vfs.WriteCategoryUnspecified); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(all[:len(all)-n]); err != nil {
		t.Fatal(err)
	}
	f.Close()
}
