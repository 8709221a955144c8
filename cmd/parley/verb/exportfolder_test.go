package verb

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A folder is there whole or not at all, and nothing stays beside it.
func TestWriteFolder(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "out")
	write := func(err error) error {
		return writeFolder(path, func(dir string) error {
			return errors.Join(writeAt(filepath.Join(dir, "one"), []byte("1"), time.Unix(1, 2000)), err)
		})
	}
	names := func(dir string) string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return strings.Join(all, " ")
	}
	if err := write(io.ErrUnexpectedEOF); !errors.Is(err, io.ErrUnexpectedEOF) || names(root) != "" {
		t.Errorf("got %v, %q", err, names(root))
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := write(nil); err != nil || names(root) != "out" || names(path) != "one" {
		t.Errorf("got %v, %q, %q", err, names(root), names(path))
	}
	if info, err := os.Stat(filepath.Join(path, "one")); err != nil || info.ModTime().UnixNano() != 1_000_002_000 {
		t.Errorf("got %v, %v", info, err)
	}
	if err := write(nil); err == nil || !strings.Contains(err.Error(), "not empty") || names(root) != "out" {
		t.Errorf("got %v, %q", err, names(root))
	}
	// What comes while it is written is not lost.
	late := filepath.Join(root, "late")
	err := writeFolder(late, func(string) error {
		return errors.Join(os.Mkdir(late, 0o700), os.WriteFile(filepath.Join(late, "other"), nil, 0o600))
	})
	if err == nil || names(root) != "late out" || names(late) != "other" {
		t.Errorf("got %v, %q, %q", err, names(root), names(late))
	}
}

// Dates that no file can have stay in the name.
func TestWriteAtAnyTime(t *testing.T) {
	for _, year := range []int{1, 1600, 1969, 2300, 9999} {
		path := filepath.Join(t.TempDir(), "one")
		if err := writeAt(path, nil, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil {
			t.Errorf("%d: %v", year, err)
		}
	}
}
