package embedded

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
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
	gather  gatherer

	logFiles logFiles

	failed  chan struct{} // closed by the first failure
	closing chan struct{} // closed when nothing may wait any more

	mu     sync.Mutex
	cause  error         // under mu; the first failure
	opened bool          // under mu; Open is done
	waits  int           // under mu; writes that wait for space
	full   chan struct{} // under mu; closed while waits > 0
	told   time.Time     // under mu; when the log last heard of a full disk
}

func newMedium(cfg Config) *medium {
	return &medium{logFiles: logFiles{open: map[string]bool{}}, FS: cfg.FS, dir: cfg.Dir, reserve: cfg.Reserve, log: cfg.Log, retry: cfg.retry,
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
		if !vfs.IsNoSpaceError(err) || !m.isOpen() {
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
	if err == nil || vfs.IsNoSpaceError(err) && m.isOpen() {
		return err
	}
	m.fail(fmt.Errorf("%s %s: %w", op, filepath.Base(name), err))
	return m.stopped()
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
	began := time.Now()
	if err := act(); err != nil {
		m.fail(fmt.Errorf("sync %s: %w", filepath.Base(name), err))
	}
	if filepath.Ext(name) == ".log" {
		m.gather.synced(time.Since(began))
	}
	return nil
}

// stopped is what a table's writer hears once the medium has failed. While the
// store opens or closes it hears of success, or Pebble would try for ever.
func (m *medium) stopped() error {
	if !m.isOpen() {
		return nil
	}
	return m.failure()
}

// isOpen says that the store is neither opening nor closing, so that waiting has an end.
func (m *medium) isOpen() bool {
	select {
	case <-m.closing:
		return false
	default:
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opened
}

// open says that Open is done: from now on writes may wait for space.
func (m *medium) open() error {
	m.mu.Lock()
	m.opened = m.cause == nil
	m.mu.Unlock()
	return m.failure()
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
