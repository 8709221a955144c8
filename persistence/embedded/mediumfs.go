package embedded

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// isTable tells the files that Pebble can give up and write again from those it cannot.
func isTable(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".sst" || ext == ".blob"
}

// isMarker tells the files whose names say which manifest and which format count.
func isMarker(name string) bool { return strings.HasPrefix(filepath.Base(name), "marker.") }

// syncFolder makes the names in a file's folder durable. Pebble makes a manifest's
// name durable by the same sync as that of the marker which names it, so that a
// power loss before that sync could leave a marker without its manifest, or no
// marker at all.
func (m *medium) syncFolder(name string) {
	dir := m.PathDir(name)
	_ = m.sync(dir, func() error { // a failure stops the medium
		f, err := m.FS.OpenDir(dir)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// run carries out a change by the rule for the file.
func (m *medium) run(op, name string, act func() error) error {
	if isTable(name) {
		return m.doTable(op, name, act)
	}
	return m.do(op, name, act)
}

func (m *medium) openFor(op, name string, open func() (vfs.File, error)) (vfs.File, error) {
	f := &mediumFile{m: m, name: name}
	if inner := open; isLog(name) {
		open = func() (vfs.File, error) { return m.openLog(name, inner) }
	}
	err := m.run(op, name, func() (err error) { f.File, err = open(); return err })
	if err != nil {
		return nil, err
	}
	if f.File == nil { // the medium has failed: nothing reaches the disk any more
		f.File = vfs.NewMemFile(nil)
	}
	return f, nil
}

// Create implements vfs.FS.
func (m *medium) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if isTable(name) {
		if err := m.admitTable(); err != nil {
			return nil, err
		}
	}
	if isMarker(name) {
		m.syncFolder(name)
	}
	return m.openFor("create", name, func() (vfs.File, error) { return m.FS.Create(name, category) })
}

// OpenReadWrite implements vfs.FS.
func (m *medium) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return m.openFor("open", name, func() (vfs.File, error) { return m.FS.OpenReadWrite(name, category, opts...) })
}

// ReuseForWrite implements vfs.FS.
func (m *medium) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return m.openFor("reuse", newname, func() (vfs.File, error) { return m.reuse(oldname, newname, category) })
}

// OpenDir implements vfs.FS. The folder is synced under the same rules.
func (m *medium) OpenDir(name string) (vfs.File, error) {
	f, err := m.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &mediumFile{File: f, m: m, name: name}, nil
}

// Rename implements vfs.FS.
func (m *medium) Rename(oldname, newname string) error {
	return m.run("rename", newname, func() error { return m.FS.Rename(oldname, newname) })
}

// Remove implements vfs.FS. A failed medium removes nothing: what Pebble
// believes written in its place is not there.
func (m *medium) Remove(name string) error {
	if m.hasFailed() {
		return nil
	}
	if isMarker(name) { // the next one is there, but may not be durable
		m.syncFolder(name)
	}
	return m.FS.Remove(name)
}

// RemoveAll implements vfs.FS.
func (m *medium) RemoveAll(name string) error {
	if m.hasFailed() {
		return nil
	}
	return m.FS.RemoveAll(name)
}

// List implements vfs.FS. Pebble lists the folder at the end of its Open, with
// compactions already under way; if that failed it would take their files from
// under them and panic. Once a write has failed it finds nothing to clean up.
func (m *medium) List(dir string) ([]string, error) {
	if m.hasFailed() && !m.isOpen() {
		return nil, nil
	}
	return m.FS.List(dir)
}

// Link implements vfs.FS.
func (m *medium) Link(oldname, newname string) error {
	if m.hasFailed() {
		return nil
	}
	return m.FS.Link(oldname, newname)
}

// Unwrap implements vfs.FS.
func (m *medium) Unwrap() vfs.FS { return m.FS }

// mediumFile is an open file or folder whose changes follow the medium's rules.
type mediumFile struct {
	vfs.File
	m    *medium
	name string
}

// Write goes on behind a short write on a full disk.
func (f *mediumFile) Write(p []byte) (int, error) {
	done := 0
	err := f.m.run("write", f.name, func() error {
		n, err := f.File.Write(p[done:])
		done += n
		return err
	})
	if err != nil {
		return done, err
	}
	return len(p), nil
}

func (f *mediumFile) WriteAt(p []byte, off int64) (int, error) {
	done := 0
	err := f.m.run("write", f.name, func() error {
		n, err := f.File.WriteAt(p[done:], off+int64(done))
		done += n
		return err
	})
	if err != nil {
		return done, err
	}
	return len(p), nil
}

func (f *mediumFile) Sync() error { return f.m.sync(f.name, f.File.Sync) }

func (f *mediumFile) SyncData() error { return f.m.sync(f.name, f.File.SyncData) }

func (f *mediumFile) SyncTo(length int64) (full bool, err error) {
	err = f.m.sync(f.name, func() (err error) { full, err = f.File.SyncTo(length); return err })
	return full, err
}

// Preallocate saves time and may fail.
func (f *mediumFile) Preallocate(off, length int64) error {
	if !f.m.hasFailed() {
		_ = f.File.Preallocate(off, length)
	}
	return nil
}

// Stat fails like a change, since Pebble asks for the size of a log that it is
// about to write and does not survive an error.
func (f *mediumFile) Stat() (vfs.FileInfo, error) {
	info, err := f.File.Stat()
	if err == nil || isTable(f.name) {
		return info, err
	}
	f.m.fail(fmt.Errorf("stat %s: %w", filepath.Base(f.name), err))
	return vfs.NewMemFile(nil).Stat()
}

func (f *mediumFile) Close() error {
	err := f.File.Close()
	if isLog(f.name) {
		f.m.closedLog(f.name)
	}
	if err == nil || isTable(f.name) {
		return err
	}
	f.m.fail(fmt.Errorf("close %s: %w", filepath.Base(f.name), err))
	return nil
}
