package embedded

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley/persistence"
)

// medium stands between Pebble and the disk. Pebble ends the process when a
// write to its log or manifest fails; here a full disk makes such a write wait
// until there is space, and any other failure stops the medium: from then on
// changes are swallowed, so that Pebble runs on without harm while the store
// tells every writer. What a failed sync covered is never written again, since
// the system may have dropped it.
type medium struct {
	vfs.FS
	dir     string
	reserve uint64 // bytes kept free for what is under way
	log     *slog.Logger
	retry   time.Duration // between two tries on a full disk

	failed  chan struct{} // closed by the first failure
	closing chan struct{} // closed when nothing may wait any more

	mu     sync.Mutex
	cause  error         // under mu; the first failure
	opened bool          // under mu; Open is done
	waits  int           // under mu; writes that wait for space
	full   chan struct{} // under mu; closed while waits > 0
}

func newMedium(fs vfs.FS, dir string, reserve uint64, log *slog.Logger) *medium {
	return &medium{FS: fs, dir: dir, reserve: reserve, log: log, retry: 250 * time.Millisecond,
		failed: make(chan struct{}), closing: make(chan struct{}), full: make(chan struct{})}
}

// do carries out a change to a file whose failure Pebble does not survive.
func (m *medium) do(op, name string, act func() error) error {
	waiting := false
	for {
		if m.hasFailed() {
			return nil
		}
		err := act()
		if err == nil {
			return nil
		}
		if !vfs.IsNoSpaceError(err) || !m.mayWait() {
			m.fail(fmt.Errorf("%s %s: %w", op, filepath.Base(name), err))
			return nil
		}
		if !waiting {
			waiting = true
			m.startWait()
			defer m.endWait()
		}
		m.pause()
	}
}

// doTable carries out a change to a table file. Pebble gives up the table on an
// error and tries again later; a full disk gets its bytes back that way.
func (m *medium) doTable(op, name string, act func() error) error {
	if m.hasFailed() {
		return m.stopped()
	}
	err := act()
	if err != nil && !vfs.IsNoSpaceError(err) {
		m.fail(fmt.Errorf("%s %s: %w", op, filepath.Base(name), err))
	}
	return err
}

// sync makes durable. A sync is never tried twice: after a failed one the system
// may count the lost pages as written.
func (m *medium) sync(name string, act func() error) error {
	if isTable(name) {
		return m.doTable("sync", name, act)
	}
	if m.hasFailed() {
		return nil
	}
	if err := act(); err != nil {
		m.fail(fmt.Errorf("sync %s: %w", filepath.Base(name), err))
	}
	return nil
}

// stopped is what a table's writer hears once the medium has failed. While the
// store opens, it must hear of success, or Pebble would try for ever.
func (m *medium) stopped() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened {
		return m.cause
	}
	return nil
}

// admitTable says whether a new table may be begun. On a failed medium it keeps
// Pebble waiting until the store closes; on a full disk it waits a little and
// refuses, so that a compaction gives back what it has written so far.
func (m *medium) admitTable() error {
	if m.hasFailed() {
		err := m.stopped()
		if err != nil {
			<-m.closing
		}
		return err
	}
	err := m.room(0, m.reserve/4)
	if err != nil && m.mayWait() {
		m.pause()
		return err
	}
	return nil
}

func (m *medium) pause() {
	t := time.NewTimer(m.retry)
	defer t.Stop()
	select {
	case <-t.C:
	case <-m.closing:
	}
}

func (m *medium) mayWait() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.closing:
		return false
	default:
		return m.opened
	}
}

func (m *medium) startWait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waits++; m.waits == 1 {
		close(m.full)
		m.log.Error("disk full, writes wait for space", "folder", m.dir)
	}
}

func (m *medium) endWait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waits--; m.waits == 0 {
		m.full = make(chan struct{})
		m.log.Info("disk has space again, writes go on", "folder", m.dir)
	}
}

// open says that Open is done: from now on writes may wait for space.
func (m *medium) open() error {
	m.mu.Lock()
	m.opened = m.cause == nil
	m.mu.Unlock()
	return m.failure()
}

// isFull is closed while a write waits for space.
func (m *medium) isFull() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.full
}

func (m *medium) fail(cause error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cause != nil {
		return
	}
	m.cause = cause
	close(m.failed)
	m.log.Error("disk failed, the store takes no writes until it is opened again", "folder", m.dir, "err", cause)
}

func (m *medium) hasFailed() bool {
	select {
	case <-m.failed:
		return true
	default:
		return false
	}
}

// failure is nil or ErrFailed with its cause.
func (m *medium) failure() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cause == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrFailed, m.cause)
}

// room says whether need more bytes may be written with reserve left over.
func (m *medium) room(need, reserve uint64) error {
	select {
	case <-m.isFull():
		return fmt.Errorf("%w: %s is full", persistence.ErrNoSpace, m.dir)
	default:
	}
	use, err := m.GetDiskUsage(m.dir)
	if err != nil {
		return nil // the write itself will tell
	}
	if use.AvailBytes < need+reserve {
		return fmt.Errorf("%w: %s has %d bytes left, %d are kept free", persistence.ErrNoSpace, m.dir, use.AvailBytes, reserve)
	}
	return nil
}
