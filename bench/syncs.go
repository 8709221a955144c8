package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// SyncConfig says how commands share syncs.
type SyncConfig struct {
	Callers int           // each with an account, or a room, of its own; 0 means 64
	Rounds  int           // commands of each; 0 means 50
	Delay   time.Duration // of every sync; 0 means 10 ms
	// Steady leaves out that the store turns over its log now and then, which
	// takes syncs while its lock is held; time in a bubble cannot pass then.
	Steady bool
}

func (c SyncConfig) withDefaults() SyncConfig {
	if c.Callers == 0 {
		c.Callers = 64
	}
	if c.Rounds == 0 {
		c.Rounds = 50
	}
	if c.Delay == 0 {
		c.Delay = 10 * time.Millisecond
	}
	return c
}

// Budgets: what a message may cost.
const (
	mailsPerSync = 20
	postsPerSync = 10
)

// Syncs counts the commands acknowledged for each sync of any file, on a disk
// whose syncs are slow.
func Syncs(ctx context.Context, cfg SyncConfig) ([]Figure, error) {
	cfg = cfg.withDefaults()
	fs := &figures{group: fmt.Sprintf("sharing of %v syncs by %d callers", cfg.Delay, cfg.Callers)}
	for _, l := range loads() {
		if err := shareSyncs(ctx, cfg, l, fs); err != nil {
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	for i := range fs.all {
		if f := &fs.all[i]; f.Measure == "acknowledged per sync" {
			if f.AtLeast = mailsPerSync; f.Name == "1:1 posts" {
				f.AtLeast = postsPerSync
			}
		}
	}
	return fs.all, nil
}

func shareSyncs(ctx context.Context, cfg SyncConfig, l load, fs *figures) error {
	disk := inMemory()
	h, err := open(houseConfig{fs: disk, people: l.people * cfg.Callers})
	if err != nil {
		return err
	}
	if cfg.Steady {
		err = h.settle(ctx)
	}
	s, err2 := l.prepare(ctx, h, cfg.Callers)
	if err := errors.Join(err, err2); err != nil {
		return errors.Join(err, h.close())
	}
	if err := s.rounds(ctx, cfg.Callers, 1); err != nil { // loads the rows, leases a volume
		return errors.Join(err, h.close())
	}
	disk.SetSyncDelay(cfg.Delay)
	before, began := disk.Syncs(), time.Now()
	err = s.rounds(ctx, cfg.Callers, cfg.Rounds)
	took, syncs := time.Since(began), disk.Syncs()-before
	disk.SetSyncDelay(0)
	fs.add(l.name, "acknowledged per sync", float64(cfg.Callers*cfg.Rounds)/float64(syncs))
	fs.add(l.name, "syncs per command of one caller", float64(took)/float64(cfg.Delay)/float64(cfg.Rounds))
	return errors.Join(err, h.cold(ctx), h.close())
}

// settle makes the store's log as long as it becomes, and empty.
func (h *house) settle(ctx context.Context) error {
	row := parley.RowKey("settle")
	for i := range byte(32) {
		cell := persistence.Cell{Family: persistence.Log, Qualifier: []byte{i}, Version: 1, Value: make([]byte, 1<<20)}
		if err := h.inner.Put(ctx, persistence.Mailbox, row, []persistence.Cell{cell}); err != nil {
			return err
		}
	}
	return h.inner.Compact(ctx, persistence.Mailbox, row)
}
