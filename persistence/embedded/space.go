package embedded

import (
	"fmt"
	"time"

	"github.com/parley-im/parley/persistence"
)

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

// isFull is closed while a write waits for space.
func (m *medium) isFull() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.full
}

// admitTable says whether a new table may be begun. On a failed medium it keeps
// Pebble waiting until the store closes; on a full disk it waits a little and
// refuses, so that a compaction gives back what it has written so far.
func (m *medium) admitTable() error {
	if m.hasFailed() {
		if m.isOpen() {
			<-m.closing
		}
		return nil
	}
	err := m.room(0, m.reserve/4)
	if err == nil || !m.isOpen() {
		return nil
	}
	m.startWait()
	defer m.endWait()
	m.pause()
	return err
}

func (m *medium) pause() {
	t := time.NewTimer(m.retry)
	defer t.Stop()
	select {
	case <-t.C:
	case <-m.closing:
	}
}

func (m *medium) startWait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waits++; m.waits > 1 {
		return
	}
	close(m.full)
	if time.Since(m.told) > time.Minute {
		m.told = time.Now()
		m.log.Error("disk full, writes wait for space", "folder", m.dir)
	}
}

func (m *medium) endWait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waits--; m.waits == 0 {
		m.full = make(chan struct{})
	}
}
