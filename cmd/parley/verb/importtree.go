package verb

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/parley-im/parley/mail/portable"
)

// onDisk is a folder as a tree that mail is read from.
type onDisk string

// Each implements portable.Tree.
func (root onDisk) Each(f func(portable.File) error) error {
	return filepath.WalkDir(string(root), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(string(root), path)
		if err != nil || name == "." {
			return err
		}
		file := portable.File{Path: filepath.ToSlash(name), Dir: e.IsDir(), Special: !e.IsDir() && !e.Type().IsRegular()}
		if info, err := e.Info(); err == nil { // else opening it tells
			file.At = info.ModTime()
		}
		file.Open = func() (io.ReadCloser, error) { return os.Open(path) }
		return f(file)
	})
}

// unopened judges a message that cannot be read. Mail programs rename files while
// a Maildir is in use.
func (r *imported) unopened(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.moved++
	case errors.Is(err, fs.ErrPermission):
		r.refuse(path, "it may not be read")
	default:
		return err
	}
	return nil
}
