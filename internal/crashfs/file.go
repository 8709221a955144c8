package crashfs

import "github.com/cockroachdb/pebble/v2/vfs"

// file is an open file or folder. Like the files of vfs, its Write and Read
// are called by one goroutine at a time.
type file struct {
	vfs.File
	fs   *FS
	name string
	dir  bool
	pos  int64 // of Read and Write
}

func (f *file) Read(p []byte) (n int, err error) {
	f.fs.counts.add(Read)
	err = f.fs.powered(func() error { n, err = f.File.Read(p); return err })
	f.pos += int64(n)
	return n, err
}

func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	f.fs.counts.add(Read)
	err = f.fs.powered(func() error { n, err = f.File.ReadAt(p, off); return err })
	return n, err
}

func (f *file) Write(p []byte) (n int, err error) {
	err = f.fs.change(Write, f.name, func() error {
		n, err = f.write(p, f.pos, f.File.Write)
		return err
	})
	f.pos += int64(n)
	return n, err
}

func (f *file) WriteAt(p []byte, off int64) (n int, err error) {
	err = f.fs.change(Write, f.name, func() error {
		n, err = f.write(p, off, func(p []byte) (int, error) { return f.File.WriteAt(p, off) })
		return err
	})
	return n, err
}

// write charges the growth to the space that is left and writes what fits, as a full disk does.
func (f *file) write(p []byte, off int64, write func([]byte) (int, error)) (int, error) {
	fits := len(p)
	grow, full := f.growth(off + int64(len(p)))
	if full != nil {
		fits = max(0, len(p)-int(grow))
	}
	n, err := 0, error(nil)
	if fits > 0 {
		n, err = write(p[:fits])
	}
	f.fs.counts.written.Add(int64(n))
	if err == nil {
		err = full
	}
	return n, err
}

// growth takes space for a file that is to end at end; with an error it says how many bytes do not fit.
func (f *file) growth(end int64) (missing int64, err error) {
	if !f.fs.limited() {
		return 0, nil
	}
	info, err := f.File.Stat()
	if err != nil || end <= info.Size() {
		return 0, err
	}
	need := end - info.Size()
	got, err := f.fs.take(need)
	return need - got, err
}

func (f *file) Sync() error { return f.fs.sync(f.syncOp(), f.name, f.File.Sync) }

func (f *file) SyncData() error { return f.fs.sync(f.syncOp(), f.name, f.File.SyncData) }

func (f *file) syncOp() Op {
	if f.dir {
		return SyncDir
	}
	return Sync
}

// SyncTo only starts writing out on most systems and promises nothing, so that is what it does here.
func (f *file) SyncTo(int64) (fullSync bool, err error) {
	return false, f.fs.powered(func() error { return nil })
}

func (f *file) Preallocate(off, length int64) error {
	return f.fs.change(Allocate, f.name, func() error { return f.File.Preallocate(off, length) })
}

func (f *file) Stat() (info vfs.FileInfo, err error) {
	err = f.fs.powered(func() error { info, err = f.File.Stat(); return err })
	return info, err
}
