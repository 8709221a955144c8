package datadir

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// With room there is a ballast, once; without, it goes and says so.
func TestBallast(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // nothing sets blocks aside there
	}
	d := &Dir{path: t.TempDir()}
	free, known := freeBytes(d.path)
	if !known || free < 16<<20 {
		t.Fatalf("%d bytes are free, known %v", free, known)
	}
	path := filepath.Join(d.path, ballastName)
	look := func(when string, bytes int64, released, there bool) {
		t.Helper()
		if got, err := d.Ballast(bytes, true); err != nil || got != released {
			t.Errorf("%s: released %v, %v", when, got, err)
		}
		if info, err := os.Stat(path); (err == nil) != there || there && info.Size() != bytes {
			t.Errorf("%s: %v, %v", when, info, err)
		}
	}
	if got, err := d.Ballast(1<<20, false); err != nil || got {
		t.Errorf("where none is to be made: released %v, %v", got, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a ballast that was not asked for")
	}
	look("at first", 1<<20, false, true)
	look("at the next start", 1<<20, false, true)
	look("with another size", 2<<20, false, true)
	look("on a disk without room for it", 1<<62, true, false)
	look("and again", 1<<62, false, false)
	look("with room again", 1<<20, false, true)
}
