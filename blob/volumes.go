package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

const lockName = "LOCK"

// Volumes is the embedded Store: a folder of volumes.
type Volumes struct {
	cfg       Config
	fs        vfs.FS
	dir       string
	log       *slog.Logger
	lock      io.Closer
	index     *index
	serial    atomic.Uint64 // of the last needle
	count     counters
	recovered Report

	queue    chan *request
	stop     chan struct{} // closed by Close
	finished chan struct{} // closed when the committer has ended

	// writes is held for reading by every write of a large blob, for writing by
	// Close, which so waits for the write but never for the sender. Taken before mu.
	writes sync.RWMutex
	closed bool // under writes

	tending sync.Mutex // held by the one sweep or compaction at work; taken before all others

	mu   sync.RWMutex
	all  map[uint32]*volume // under mu
	free []*volume          // under mu: takes appends, leased by nobody
	next uint32             // under mu: number of the next volume
}

var _ Store = (*Volumes)(nil)

// Open opens the folder, creating it if need be: takes its lock, loads the
// checkpoints, scans what came after them and cuts torn tails.
func Open(cfg Config) (*Volumes, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Volumes{
		cfg: cfg, fs: cfg.FS, dir: cfg.Dir, log: cfg.Log, index: newIndex(),
		queue: make(chan *request, queueLength), stop: make(chan struct{}), finished: make(chan struct{}),
		all: map[uint32]*volume{}, next: 1,
	}
	if err := s.makeDir(); err != nil {
		return nil, err
	}
	if s.lock, err = s.fs.Lock(s.path(lockName)); err != nil {
		return nil, s.lockError(err)
	}
	if err := s.recover(); err != nil {
		return nil, errors.Join(err, s.dropAll(), s.lock.Close())
	}
	go s.commitLoop()
	return s, nil
}

// lockError tells a lock that another has from one that cannot be made.
func (s *Volumes) lockError(err error) error {
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return fmt.Errorf("blob: lock %s: %w", s.dir, err)
	}
	return fmt.Errorf("%w: %s: %w", ErrInUse, s.dir, err)
}

func (s *Volumes) path(name string) string { return s.fs.PathJoin(s.dir, name) }

// makeDir creates the folder and makes its name durable. So may be the names of the
// folders above, which a process made that was killed before it could sync
// them; where this one did not make the folder it may also not be allowed to sync it.
func (s *Volumes) makeDir() error {
	made := map[string]bool{}
	for dir := s.dir; dir != s.fs.PathDir(dir); dir = s.fs.PathDir(dir) {
		_, err := s.fs.Stat(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("blob folder: %w", err)
		}
		made[dir] = err != nil
	}
	if err := s.fs.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("blob folder: %w", err)
	}
	for dir, here := range made {
		if err := s.syncDir(s.fs.PathDir(dir)); err != nil && here {
			return err
		}
	}
	return nil
}

// Recovered says what Open found: Volumes, Blobs, CutBytes and damage in what it
// scanned. For the rest there is Check.
func (s *Volumes) Recovered() Report { return s.recovered }

// Close ends what runs: small blobs that wait are committed, large ones fail with
// ErrClosed at their next write. Open blobs stay readable until they are closed.
func (s *Volumes) Close() error {
	s.writes.Lock()
	if s.closed {
		s.writes.Unlock()
		return nil
	}
	s.closed = true
	s.writes.Unlock()
	close(s.stop)
	<-s.finished
	return errors.Join(s.saveAll(), s.dropAll(), s.lock.Close())
}

// saveAll brings every checkpoint up to date. Nobody appends any more.
func (s *Volumes) saveAll() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var errs []error
	for _, v := range s.all {
		if v.check.file == nil || v.check.broken || v.check.to == v.end.Load() {
			continue
		}
		if err := v.check.write(v.end.Load(), false); err != nil {
			errs = append(errs, err)
			continue
		}
		errs = append(errs, s.sync(v.check.file.Sync))
	}
	return errors.Join(errs...)
}

func (s *Volumes) dropAll() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, v := range s.all {
		errs = append(errs, v.drop())
	}
	s.all, s.free = map[uint32]*volume{}, nil
	return errors.Join(errs...)
}

// Stat gives the size and date of a blob.
func (s *Volumes) Stat(ctx context.Context, d parley.Digest) (Info, error) {
	p, ok, _ := s.index.find(d)
	if !ok {
		return Info{}, parley.E(parley.NotFound, "blob.stat", "no such blob")
	}
	return p.info(d), ctx.Err()
}
