// Package datadir is the folder that a server keeps everything in: where things
// lie in it, who has it open, and the server's secret.
//
// It promises that one process at a time has the folder, whatever way the last
// one ended, and that a secret that once was is never replaced: every id and
// every idempotency key derives from it. What the store and the blobs keep in
// their folders is their own business.
package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/parley-im/parley"
)

// The names in a data folder.
const (
	lockName    = "lock"
	secretName  = "secret"
	storeName   = "store"
	blobsName   = "blobs"
	controlName = "control"
)

// ErrAbsent says that there is no data folder and none was to be made.
var ErrAbsent = errors.New("no data folder there")

// Config says which folder to open and for whom.
type Config struct {
	Path   string // required
	Create bool   // make the folder, and a secret, if there is none
	Holder string // what the process does, told to others who want the folder
}

// Dir is a folder that this process has, until Close.
type Dir struct {
	path   string
	lock   *os.File
	secret parley.Secret
}

// Open takes the folder: *HeldError if another process has it, ErrAbsent if
// there is none.
func Open(cfg Config) (*Dir, error) {
	path, err := filepath.Abs(cfg.Path)
	if err != nil {
		return nil, err
	}
	if err := prepare(path, cfg.Create); err != nil {
		return nil, err
	}
	lock, err := take(filepath.Join(path, lockName), cfg.Holder)
	if err != nil {
		return nil, err
	}
	secret, err := loadSecret(path, cfg.Create)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return &Dir{path: path, lock: lock, secret: secret}, nil
}

// Close lets others have the folder.
func (d *Dir) Close() error { return d.lock.Close() }

// Path is where the folder is.
func (d *Dir) Path() string { return d.path }

// Secret is the server's secret.
func (d *Dir) Secret() parley.Secret { return d.secret }

// Store is where the store's folder is.
func (d *Dir) Store() string { return filepath.Join(d.path, storeName) }

// Blobs is where the folder of the blobs is.
func (d *Dir) Blobs() string { return filepath.Join(d.path, blobsName) }

// prepare makes the folder for its owner alone. It leaves folders alone that
// hold something else, which a slip of the fingers may name.
func prepare(path string, create bool) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return fmt.Errorf("%s: %w", path, ErrAbsent)
	case errors.Is(err, fs.ErrNotExist):
		return makeDir(path)
	case err != nil:
		return fmt.Errorf("open data folder: %w", err)
	case holdsData(entries):
		return nil
	case !create:
		return fmt.Errorf("%s: %w", path, ErrAbsent)
	case holdsOther(entries):
		return fmt.Errorf("%s has other files and no data of parley; name a new or an empty folder", path)
	}
	return os.Chmod(path, 0o700)
}

func holdsData(entries []fs.DirEntry) bool {
	for _, e := range entries {
		if e.Name() == secretName || e.Name() == storeName {
			return true
		}
	}
	return false
}

// holdsOther passes over what a first start that was cut short leaves, and what
// a new file system has.
func holdsOther(entries []fs.DirEntry) bool {
	for _, e := range entries {
		switch e.Name() {
		case lockName, secretName + partSuffix, "lost+found":
		default:
			return true
		}
	}
	return false
}

func makeDir(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// Two that start at once may both see no folder; the lock sorts them out.
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return Sync(filepath.Dir(path))
}

// Sync makes the bytes of a file, or the names in a folder, durable.
func Sync(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
