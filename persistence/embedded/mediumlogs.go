package embedded

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// logFiles knows which logs are open. A log that is not is of use only when the
// store is opened; and once what it holds is in tables, to be written over.
type logFiles struct {
	mu    sync.Mutex // held while a log is opened, too, so that none is removed then
	open  map[string]bool
	fresh bool // what is old must go: no log is written over
}

func isLog(name string) bool { return filepath.Ext(name) == ".log" }

// openLog opens a log and takes note of it.
func (m *medium) openLog(name string, open func() (vfs.File, error)) (vfs.File, error) {
	m.logFiles.mu.Lock()
	defer m.logFiles.mu.Unlock()
	f, err := open()
	if err == nil {
		m.logFiles.open[filepath.Base(name)] = true
	}
	return f, err
}

func (m *medium) closedLog(name string) {
	m.logFiles.mu.Lock()
	defer m.logFiles.mu.Unlock()
	delete(m.logFiles.open, filepath.Base(name))
}

// reuse writes over an old log under a new name, or makes a new one if the old one
// must not be used or was removed meanwhile. The caller holds the lock.
func (m *medium) reuse(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if _, err := m.FS.Stat(oldname); err != nil || m.logFiles.fresh {
		return m.FS.Create(newname, category)
	}
	return m.FS.ReuseForWrite(oldname, newname, category)
}

// freshLogs says whether logs begin as new files from now on.
func (m *medium) freshLogs(fresh bool) {
	m.logFiles.mu.Lock()
	defer m.logFiles.mu.Unlock()
	m.logFiles.fresh = fresh
}

// logs lists the logs that are there.
func (m *medium) logs() ([]string, error) {
	names, err := m.FS.List(m.dir)
	return slices.DeleteFunc(names, func(name string) bool { return !isLog(name) }), err
}

// removeLogs removes those of the logs that are still there and not open.
func (m *medium) removeLogs(logs []string) error {
	m.logFiles.mu.Lock()
	defer m.logFiles.mu.Unlock()
	there, err := m.logs()
	if err != nil {
		return err
	}
	for _, name := range logs {
		if m.logFiles.open[name] || !slices.Contains(there, name) {
			continue
		}
		if err := m.Remove(m.PathJoin(m.dir, name)); err != nil {
			return err
		}
	}
	return nil
}
