package system

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/datadir"
	"github.com/parley-im/parley/persistence/embedded"
)

func TestFolderThatLostAPart(t *testing.T) {
	dir, err := datadir.Open(datadir.Config{Path: t.TempDir(), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := checkWhole(dir); err != nil {
		t.Errorf("a new folder: %v", err)
	}
	for _, part := range []string{dir.Store(), dir.Blobs()} {
		if err := os.MkdirAll(part, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := markWhole(dir); err != nil {
		t.Fatal(err)
	}
	if err := checkWhole(dir); err != nil {
		t.Errorf("a whole folder: %v", err)
	}
	if err := os.Rename(dir.Blobs(), filepath.Join(t.TempDir(), "away")); err != nil {
		t.Fatal(err)
	}
	if err := checkWhole(dir); err == nil {
		t.Error("a folder without its blobs passes for whole")
	}
}

func TestSecretOfAnotherStore(t *testing.T) {
	s, err := embedded.Open(embedded.Config{Dir: "store", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mine := parley.Secret("0123456789abcdef0123456789abcdef")
	for range 2 {
		if err := checkSecret(t.Context(), s, mine); err != nil {
			t.Errorf("its own secret: %v", err)
		}
	}
	other := append(parley.Secret("x"), mine[1:]...)
	if err := checkSecret(t.Context(), s, other); err == nil {
		t.Error("another secret passes")
	}
}
