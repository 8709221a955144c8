package embedded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"github.com/parley-im/parley/internal/crashfs"
)

const holdEnv = "PARLEY_EMBEDDED_TEST_HOLD"

// TestHoldFolder is the other process of TestFolderIsLocked; without its
// variable it opens and closes a folder of its own.
func TestHoldFolder(t *testing.T) {
	dir := os.Getenv(holdEnv)
	other := dir != ""
	if !other {
		dir = t.TempDir()
	}
	s, err := Open(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if other {
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin)
	}
	closed(t, s)
}

func TestFolderIsLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "store")
	cmd := exec.Command(os.Args[0], "-test.run=^TestHoldFolder$")
	cmd.Env = append(os.Environ(), holdEnv+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("held"))); err != nil {
		t.Fatal(err)
	}
	_, err = Open(Config{Dir: dir})
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder held by another process: got %v, want ErrLocked with its name", err)
	}
	in.Close()
	io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(Config{Dir: dir})
	if err != nil {
		t.Fatalf("after the other process has gone: %v", err)
	}
	defer closed(t, s)
	if _, err := Open(Config{Dir: dir}); !errors.Is(err, ErrLocked) {
		t.Errorf("a folder held by this process: got %v, want ErrLocked", err)
	}
}

func TestOpenRefusesOtherLayout(t *testing.T) {
	fs := crashfs.New(1)
	s := openOn(t, fs)
	if err := s.db.Set(layoutKey, []byte{layoutVersion + 1}, pebble.Sync); err != nil {
		t.Fatal(err)
	}
	closed(t, s)
	if _, err := Open(Config{Dir: "/store", FS: fs}); err == nil || !strings.Contains(err.Error(), "layout") {
		t.Errorf("got %v, want a refusal that names the layout", err)
	}
	if _, err := Open(Config{Dir: "/store", FS: fs}); errors.Is(err, ErrLocked) {
		t.Error("the refusal left the folder locked")
	}
}
