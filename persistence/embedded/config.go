package embedded

import (
	"errors"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/prometheus/client_golang/prometheus"
)

var (
	// ErrLocked says that another process, or another store of this one, has the folder.
	ErrLocked = errors.New("embedded: folder is in use by another server")
	// ErrFailed says that the disk refused a write for another reason than
	// space. Writes end until the store is opened again; rows that were being
	// written at that moment cannot be read until then.
	ErrFailed = errors.New("embedded: disk failed")
	// ErrClosed says that the store is closed.
	ErrClosed = errors.New("embedded: store is closed")
)

// Config says where the store is and how much it may use.
type Config struct {
	Dir        string                // required
	FS         vfs.FS                // nil is the disk
	CacheBytes int64                 // of blocks in memory; 0 means 64 MiB
	Reserve    uint64                // commits are refused with ErrNoSpace when less is free; 0 means 64 MiB
	Log        *slog.Logger          // nil discards
	NoSync     bool                  // for benchmarks only: commits return before they are durable
	Metrics    prometheus.Registerer // nil keeps them to itself

	memTable uint64        // bytes; 0 means 8 MiB. Tests make it small to see flushes.
	retry    time.Duration // between two tries on a full disk; 0 means 250 ms
}

func (cfg Config) withDefaults() Config {
	if cfg.FS == nil {
		cfg.FS = vfs.Default
	}
	if cfg.CacheBytes == 0 {
		cfg.CacheBytes = defaultCache
	}
	if cfg.Reserve == 0 {
		cfg.Reserve = defaultReserve
	}
	if cfg.memTable == 0 {
		cfg.memTable = defaultMemTable
	}
	if cfg.retry == 0 {
		cfg.retry = 250 * time.Millisecond
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return cfg
}
