// Package embedded is the Store in one folder, on Pebble: for one node, with
// everything in one binary.
//
// It promises the contract of persistence, one fsync for many concurrent
// commits, reads that never show what a power loss may take back, and that a
// full or failing disk ends writes with an error and never the process. It
// leaves to its caller that a row is written by one activation at a time; the
// store only makes it safe when it is not.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/persistence"
)

// Store implements persistence.Store.
type Store struct {
	db        *pebble.DB
	medium    *medium
	rows      *rowLocks
	reserve   uint64
	mode      *pebble.WriteOptions
	recovered Recovery
	meter     *meter
	metrics   prometheus.Registerer
	dropping  sync.Mutex // one drops logs at a time

	mu      sync.RWMutex
	closed  bool           // under mu
	running sync.WaitGroup // entered under mu
}

var _ persistence.Store = (*Store)(nil)

// Open opens the folder, making it if need be.
func Open(cfg Config) (*Store, error) {
	cfg = cfg.withDefaults()
	m := newMedium(cfg)
	if err := makeDir(m.FS, cfg.Dir); err != nil {
		return nil, fmt.Errorf("embedded: make %s: %w", cfg.Dir, err)
	}
	if err := m.room(0, cfg.Reserve/4); err != nil {
		return nil, fmt.Errorf("embedded: open: %w", err)
	}
	lock, err := lockDir(m.FS, cfg.Dir)
	if err != nil {
		return nil, err
	}
	s, err := open(cfg, m, lock)
	return s, errors.Join(err, lock.Close()) // an open database keeps a reference of its own
}

func open(cfg Config, m *medium, lock *pebble.Lock) (*Store, error) {
	recovered, err := inspectLog(m.FS, cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("embedded: read the log of %s: %w", cfg.Dir, err)
	}
	o := cfg.options(m, pebbleLog{cfg.Log, m})
	o.Lock = lock
	db, err := pebble.Open(cfg.Dir, o)
	if err != nil {
		return nil, fmt.Errorf("embedded: open %s: %w", cfg.Dir, errors.Join(err, m.failure()))
	}
	s := &Store{db: db, medium: m, rows: newRowLocks(), reserve: cfg.Reserve, mode: pebble.Sync, recovered: recovered, metrics: cfg.Metrics}
	s.meter = newMeter(s)
	if cfg.NoSync {
		s.mode = pebble.NoSync
	}
	if err := errors.Join(s.checkLayout(), m.open(), s.register()); err != nil {
		close(m.closing)
		return nil, fmt.Errorf("embedded: open %s: %w", cfg.Dir, errors.Join(err, db.Close()))
	}
	recovered.report(cfg.Log, cfg.Dir)
	return s, nil
}

// checkLayout refuses a folder that a later version has written.
func (s *Store) checkLayout() error {
	value, closer, err := s.db.Get(layoutKey)
	if errors.Is(err, pebble.ErrNotFound) {
		return s.db.Set(layoutKey, []byte{layoutVersion}, pebble.Sync)
	}
	if err != nil {
		return err
	}
	defer closer.Close()
	if len(value) != 1 || value[0] != layoutVersion {
		return fmt.Errorf("layout %x, this version knows %x", value, []byte{layoutVersion})
	}
	return nil
}

func (s *Store) register() error {
	if s.metrics == nil {
		return nil
	}
	return s.metrics.Register(s.meter)
}

// Recovered says what Open found in the log.
func (s *Store) Recovered() Recovery { return s.recovered }

// enter keeps the store open for one operation.
func (s *Store) enter(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return ErrClosed
	}
	s.running.Add(1)
	return nil
}

// Writable says why writes would be refused now: the medium has failed, or its
// space is used up to the reserve. nil is no promise for a large one.
func (s *Store) Writable() error {
	if err := s.medium.failure(); err != nil {
		return err
	}
	return s.medium.room(0, s.reserve)
}

// Close waits for running operations, except those that wait for space, whose
// outcome then stays unknown.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	s.closed = true
	s.mu.Unlock()
	idle := make(chan struct{})
	go func() { s.running.Wait(); close(idle) }()
	select {
	case <-idle:
	case <-s.medium.isFull():
	case <-s.medium.failed:
	}
	close(s.medium.closing)
	<-idle
	if s.metrics != nil {
		s.metrics.Unregister(s.meter)
	}
	return errors.Join(s.db.Close(), s.medium.failure())
}
