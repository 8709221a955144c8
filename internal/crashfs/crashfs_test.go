package crashfs

import (
	"errors"
	"io"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func put(t *testing.T, fs *FS, name, text string, sync bool) vfs.File {
	t.Helper()
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if sync {
		syncAll(t, fs, f)
	}
	return f
}

// syncAll makes the file and its name durable.
func syncAll(t *testing.T, fs *FS, f vfs.File) {
	t.Helper()
	dir, err := fs.OpenDir("/")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []vfs.File{f, dir} {
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
	}
}

func get(fs *FS, name string) (string, error) {
	f, err := fs.Open(name)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(f)
	return string(b), err
}

func TestPowerLossKeepsWhatWasSynced(t *testing.T) {
	fs := New(0) // seed 0 keeps nothing else
	put(t, fs, "/a", "synced", true)
	f := put(t, fs, "/b", "synced", true)
	if _, err := f.Write([]byte(" and not")); err != nil {
		t.Fatal(err)
	}
	put(t, fs, "/c", "never synced", false)
	after := fs.Image()
	for _, want := range []string{"/a", "/b"} {
		if got, err := get(after, want); got != "synced" || err != nil {
			t.Errorf("%s after power loss: %q, %v", want, got, err)
		}
	}
	if got, err := get(after, "/c"); err == nil {
		t.Errorf("/c was not synced but is there: %q", got)
	}
}

func TestNothingWorksAfterPowerLoss(t *testing.T) {
	fs := New(0)
	f := put(t, fs, "/a", "1", true)
	fs.CrashAt(fs.Ops() + 2)
	if _, err := f.Write([]byte("2")); err != nil {
		t.Fatalf("the operation before the loss: %v", err)
	}
	if err := f.Sync(); !errors.Is(err, ErrPowerLoss) {
		t.Fatalf("the operation of the loss: got %v, want ErrPowerLoss", err)
	}
	<-fs.Crashed()
	if _, err := fs.Open("/a"); !errors.Is(err, ErrPowerLoss) {
		t.Errorf("open: got %v, want ErrPowerLoss", err)
	}
	if err := fs.Rename("/a", "/b"); !errors.Is(err, ErrPowerLoss) {
		t.Errorf("rename: got %v, want ErrPowerLoss", err)
	}
	if got, _ := get(fs.Image(), "/a"); got != "1" {
		t.Errorf("image: got %q, want %q", got, "1")
	}
}

func TestSkippedSyncLosesData(t *testing.T) {
	fs := New(0)
	f := put(t, fs, "/a", "", true)
	fs.SkipSyncs(true)
	if _, err := f.Write([]byte("acknowledged")); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if got, _ := get(fs.Image(), "/a"); got != "" {
		t.Errorf("after a skipped sync: got %q, want nothing", got)
	}
}

func TestFullDiskWritesShortAndHeals(t *testing.T) {
	fs := New(0)
	f := put(t, fs, "/a", "", false)
	fs.SetSpace(3)
	if n, err := f.Write([]byte("hello")); n != 3 || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("write past the limit: got %d, %v, want 3, ENOSPC", n, err)
	}
	if use, err := fs.GetDiskUsage("/"); use.AvailBytes != 0 || err != nil {
		t.Errorf("space left: got %d, %v, want 0", use.AvailBytes, err)
	}
	fs.SetSpace(100)
	if n, err := f.Write([]byte("lo")); n != 2 || err != nil {
		t.Fatalf("write after space was given: got %d, %v", n, err)
	}
	if got, _ := get(fs, "/a"); got != "hello" {
		t.Errorf("got %q, want hello", got)
	}
	if err := fs.Remove("/a"); err != nil {
		t.Fatal(err)
	}
	if use, _ := fs.GetDiskUsage("/"); use.AvailBytes != 103 {
		t.Errorf("space after the remove: got %d, want 103", use.AvailBytes)
	}
}

func TestCountsAndHook(t *testing.T) {
	fs := New(0)
	put(t, fs, "/a", "12345", true)
	if fs.Count(Create) != 1 || fs.Count(Write) != 1 || fs.Syncs() != 2 || fs.Ops() != 4 || fs.Written() != 5 {
		t.Errorf("create %d, write %d, syncs %d, ops %d, written %d; want 1, 1, 2, 4, 5",
			fs.Count(Create), fs.Count(Write), fs.Syncs(), fs.Ops(), fs.Written())
	}
	boom := errors.New("boom")
	fs.OnOp(func(n int, op Op, name string) error {
		if n == 5 && op == Remove && name == "/a" {
			return boom
		}
		return nil
	})
	if err := fs.Remove("/a"); !errors.Is(err, boom) {
		t.Errorf("remove: got %v, want the hook's error", err)
	}
	if got, _ := get(fs, "/a"); got != "12345" {
		t.Errorf("the failed remove removed: %q", got)
	}
}

func TestSyncDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := New(0)
		fs.SetSyncDelay(10 * time.Millisecond)
		start := time.Now()
		put(t, fs, "/a", "1", true)
		if took := time.Since(start); took != 20*time.Millisecond {
			t.Errorf("two syncs took %v, want 20ms", took)
		}
	})
}
