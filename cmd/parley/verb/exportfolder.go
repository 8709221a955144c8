package verb

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley/internal/datadir"
)

// writeFolder leaves either the whole new folder under the name, or what was
// there: nothing, or an empty folder.
func writeFolder(path string, write func(dir string) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty; name a new folder", path)
	}
	beside, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(beside))
		}
	}()
	if err := write(beside); err != nil {
		return err
	}
	if err := syncTree(beside); err != nil {
		return err
	}
	// Only an empty folder can be removed, so nothing that came meanwhile is lost.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(beside, path); err != nil {
		return err
	}
	return datadir.Sync(filepath.Dir(path))
}

// syncsAtOnce lets a file system bring many files to the disk in one go.
const syncsAtOnce = 32

// syncTree makes files and folders durable when all are written.
func syncTree(dir string) error {
	var syncing errgroup.Group
	syncing.SetLimit(syncsAtOnce)
	walked := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		syncing.Go(func() error { return datadir.Sync(path) })
		return err
	})
	return errors.Join(walked, syncing.Wait())
}

// The times that a file can have here.
var (
	firstTime = time.Unix(0, math.MinInt64)
	lastTime  = time.Unix(0, math.MaxInt64)
)

// writeAt writes a new file as of a time.
func writeAt(path string, text []byte, at time.Time) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if at.Before(firstTime) || at.After(lastTime) {
		return nil // no file can have it; the name has
	}
	return os.Chtimes(path, at, at)
}
