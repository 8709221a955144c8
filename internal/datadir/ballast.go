package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ballastName is a file of nothing that a full disk can do without: a store has to
// write a little before it can be read.
const ballastName = "ballast"

// plenty is how many times its size must be free before a ballast is made.
const plenty = 4

// Ballast keeps so many bytes of the disk for a later start on a full one. Call it
// before the store is opened. Where less than that is free it gives the bytes back
// and says so; where there is plenty it makes the file, if it is to. What else it
// finds it leaves alone: a folder without ballast works until the disk is full.
func (d *Dir) Ballast(bytes int64, create bool) (released bool, err error) {
	path := filepath.Join(d.path, ballastName)
	free, known := freeBytes(d.path)
	if !known {
		return false, nil
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	case err == nil && free < bytes:
		return true, releaseBallast(d.path, path)
	case create && free/plenty >= bytes && (err != nil || info.Size() != bytes):
		return false, makeBallast(path, bytes)
	}
	return false, nil
}

func releaseBallast(dir, path string) error {
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("give the ballast back: %w", err)
	}
	return Sync(dir)
}

// makeBallast has the file system set blocks aside. One that cannot has none.
func makeBallast(path string, bytes int64) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("make the ballast: %w", err)
	}
	if err := errors.Join(allocate(f, bytes), f.Close()); err != nil {
		return errors.Join(fmt.Errorf("make the ballast: %w", err), os.Remove(path))
	}
	return nil
}
