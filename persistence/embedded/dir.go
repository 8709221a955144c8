package embedded

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// lockDir takes the folder for this store alone. The lock ends with the process.
func lockDir(fs vfs.FS, dir string) (*pebble.Lock, error) {
	lock, err := pebble.LockDirectory(dir, fs)
	switch {
	case err == nil:
		return lock, nil
	case errors.Is(err, syscall.EAGAIN), strings.Contains(err.Error(), "held by current process"):
		return nil, fmt.Errorf("%w: %s", ErrLocked, dir)
	default:
		return nil, fmt.Errorf("embedded: lock %s: %w", dir, err)
	}
}

// makeDir makes the folder durable: each folder that gained an entry is synced.
func makeDir(fs vfs.FS, dir string) error {
	var parents []string
	for p := dir; ; {
		if _, err := fs.Stat(p); err == nil || fs.PathDir(p) == p {
			break
		}
		p = fs.PathDir(p)
		parents = append(parents, p)
	}
	if err := fs.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, p := range parents {
		if err := syncDir(fs, p); err != nil {
			return err
		}
	}
	return nil
}

func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}
