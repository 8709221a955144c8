package crashfs

import (
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// FS is a vfs.FS with faults and counts. All methods are safe for concurrent use.
type FS struct {
	inner  vfs.FS
	mem    *vfs.MemFS // nil over a real disk
	seed   uint64
	counts counts

	// power is read-held by each operation, so that a power loss falls between two of them.
	power   sync.RWMutex
	image   *vfs.MemFS // under power; set when the power has gone
	crashed chan struct{}

	crashAt, keep, delay atomic.Int64
	skip                 atomic.Bool
	hook                 atomic.Pointer[func(int, Op, string) error]

	mu    sync.Mutex
	space int64 // under mu; negative: no limit
}

var _ vfs.FS = (*FS)(nil)

// New makes an empty file system in memory.
func New(seed uint64) *FS { return newFS(vfs.NewCrashableMem(), seed) }

func newFS(mem *vfs.MemFS, seed uint64) *FS {
	fs := Over(mem)
	fs.mem, fs.seed = mem, seed
	fs.keep.Store(int64(seed % 5 * 25))
	return fs
}

// Over counts and injects faults over another file system, for benchmarks on a
// real disk. It cannot lose power.
func Over(inner vfs.FS) *FS {
	return &FS{inner: inner, crashed: make(chan struct{}), space: -1}
}

// Create implements vfs.FS.
func (fs *FS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return fs.openFor(Create, name, func() (vfs.File, error) { return fs.inner.Create(name, category) })
}

// OpenReadWrite implements vfs.FS. It counts as Create.
func (fs *FS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return fs.openFor(Create, name, func() (vfs.File, error) { return fs.inner.OpenReadWrite(name, category, opts...) })
}

// ReuseForWrite implements vfs.FS. It counts as Rename.
func (fs *FS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return fs.openFor(Rename, newname, func() (vfs.File, error) { return fs.inner.ReuseForWrite(oldname, newname, category) })
}

func (fs *FS) openFor(op Op, name string, open func() (vfs.File, error)) (f vfs.File, err error) {
	err = fs.change(op, name, func() error {
		inner, err := open()
		if err == nil {
			f = &file{File: inner, fs: fs, name: name}
		}
		return err
	})
	return f, err
}

// Open implements vfs.FS.
func (fs *FS) Open(name string, opts ...vfs.OpenOption) (f vfs.File, err error) {
	err = fs.powered(func() error {
		inner, err := fs.inner.Open(name, opts...)
		if err == nil {
			f = &file{File: inner, fs: fs, name: name}
		}
		return err
	})
	return f, err
}

// OpenDir implements vfs.FS.
func (fs *FS) OpenDir(name string) (f vfs.File, err error) {
	err = fs.powered(func() error {
		inner, err := fs.inner.OpenDir(name)
		if err == nil {
			f = &file{File: inner, fs: fs, name: name, dir: true}
		}
		return err
	})
	return f, err
}

// Link implements vfs.FS.
func (fs *FS) Link(oldname, newname string) error {
	return fs.change(Link, newname, func() error { return fs.inner.Link(oldname, newname) })
}

// Remove implements vfs.FS.
func (fs *FS) Remove(name string) error {
	return fs.change(Remove, name, func() error {
		var size int64
		if info, err := fs.inner.Stat(name); err == nil && !info.IsDir() {
			size = info.Size()
		}
		err := fs.inner.Remove(name)
		if err == nil {
			fs.giveBack(size)
		}
		return err
	})
}

// RemoveAll implements vfs.FS. It gives no space back.
func (fs *FS) RemoveAll(name string) error {
	return fs.change(Remove, name, func() error { return fs.inner.RemoveAll(name) })
}

// Rename implements vfs.FS.
func (fs *FS) Rename(oldname, newname string) error {
	return fs.change(Rename, newname, func() error { return fs.inner.Rename(oldname, newname) })
}

// MkdirAll implements vfs.FS.
func (fs *FS) MkdirAll(dir string, perm os.FileMode) error {
	return fs.change(Mkdir, dir, func() error { return fs.inner.MkdirAll(dir, perm) })
}

// Lock implements vfs.FS. It is not counted.
func (fs *FS) Lock(name string) (c io.Closer, err error) {
	err = fs.powered(func() error { c, err = fs.inner.Lock(name); return err })
	return c, err
}

// List implements vfs.FS.
func (fs *FS) List(dir string) (names []string, err error) {
	err = fs.powered(func() error { names, err = fs.inner.List(dir); return err })
	return names, err
}

// Stat implements vfs.FS.
func (fs *FS) Stat(name string) (info vfs.FileInfo, err error) {
	err = fs.powered(func() error { info, err = fs.inner.Stat(name); return err })
	return info, err
}

// GetDiskUsage implements vfs.FS: the limit of SetSpace where there is one.
func (fs *FS) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	fs.mu.Lock()
	space := fs.space
	fs.mu.Unlock()
	if space < 0 {
		return fs.inner.GetDiskUsage(path)
	}
	return vfs.DiskUsage{AvailBytes: uint64(space), TotalBytes: uint64(space + fs.Written()), UsedBytes: uint64(fs.Written())}, nil
}

// PathBase implements vfs.FS.
func (fs *FS) PathBase(path string) string { return fs.inner.PathBase(path) }

// PathJoin implements vfs.FS.
func (fs *FS) PathJoin(elem ...string) string { return fs.inner.PathJoin(elem...) }

// PathDir implements vfs.FS.
func (fs *FS) PathDir(path string) string { return fs.inner.PathDir(path) }

// Unwrap implements vfs.FS.
func (fs *FS) Unwrap() vfs.FS { return fs.inner }
