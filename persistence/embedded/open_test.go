package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
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
