// Package hbase is the Store on an HBase cluster, for several nodes that share
// one store.
//
// It promises the contract of persistence: a cell's version is its timestamp, a
// commit is one CheckAndPut, and a write whose answer was lost is Ambiguous,
// never a failed check. What it acknowledges is in the write-ahead log of the
// region. It leaves to the cluster how regions move, split and compact; while one
// moves, operations wait until it is there or their time is over.
package hbase

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tsuna/gohbase"

	"github.com/parley-im/parley/persistence"
)

// client is what the store needs of gohbase: single operations and scans.
type client interface {
	gohbase.Client
	gohbase.RPCClient
}

// Store implements persistence.Store.
type Store struct {
	cfg    Config
	client client

	mu      sync.RWMutex
	closed  bool           // under mu
	running sync.WaitGroup // entered under mu
}

var _ persistence.Store = (*Store)(nil)

// Open connects to the cluster and makes the tables that are not there.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg = cfg.withDefaults()
	if cfg.Quorum == "" {
		return nil, errors.New("hbase: no quorum")
	}
	if err := prepare(ctx, cfg); err != nil {
		return nil, fmt.Errorf("hbase: open %s: %w", cfg.Quorum, err)
	}
	// A queue of one sends each call at once; a longer one holds a lone call back
	// for as long as another might come, and conditional puts are never queued.
	c, ok := gohbase.NewClient(cfg.Quorum, gohbase.RpcQueueSize(1), gohbase.RegionDialer(cfg.dial), gohbase.Logger(cfg.Log)).(client)
	if !ok {
		return nil, errors.New("hbase: the client cannot send calls of our own")
	}
	return &Store{cfg: cfg, client: c}, nil
}

// enter keeps the store open for one operation and bounds its time.
func (s *Store) enter(ctx context.Context) (_ context.Context, leave func(), err error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	s.running.Add(1)
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	return ctx, func() { cancel(); s.running.Done() }, nil
}

// Close waits for running operations, which their timeout bounds.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	s.closed = true
	s.mu.Unlock()
	s.running.Wait()
	s.client.Close()
	return nil
}
