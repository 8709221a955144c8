package crashfs

import (
	"errors"
	"math/rand/v2"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// ErrPowerLoss is the answer to every operation after the power went.
var ErrPowerLoss = errors.New("crashfs: the power is gone")

// CrashAt lets the power go just before the n-th operation that changes the
// medium, counted from the first (see Ops); 0 takes it back.
func (fs *FS) CrashAt(n int) { fs.crashAt.Store(int64(n)) }

// Keep sets how many of 100 blocks and folder entries that were not synced
// survive a power loss. Without it the seed chooses 0, 25, 50, 75 or 100.
func (fs *FS) Keep(percent int) { fs.keep.Store(int64(percent)) }

// Crash lets the power go now. Operations under way end first, either way.
func (fs *FS) Crash() {
	fs.power.Lock()
	defer fs.power.Unlock()
	if fs.image != nil {
		return
	}
	if fs.mem == nil {
		panic("crashfs: only a file system from New can lose power")
	}
	rng := rand.New(rand.NewPCG(fs.seed, 1))
	fs.image = fs.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: int(fs.keep.Load()), RNG: rng})
	close(fs.crashed)
}

// Crashed is closed when the power has gone.
func (fs *FS) Crashed() <-chan struct{} { return fs.crashed }

// Image is a fresh file system with what survived; if the power is still on it goes now.
// It has counts and faults of its own and may be taken more than once.
func (fs *FS) Image() *FS {
	fs.Crash()
	return newFS(fs.image.CrashClone(vfs.CrashCloneCfg{}), fs.seed+1)
}

// powered runs act while the power cannot go, so that what it reports as done is in the image.
func (fs *FS) powered(act func() error) error {
	fs.power.RLock()
	defer fs.power.RUnlock()
	if fs.image != nil {
		return ErrPowerLoss
	}
	return act()
}

// change is the way of every operation that changes the medium.
func (fs *FS) change(op Op, name string, act func() error) error {
	n := fs.counts.add(op)
	if at := fs.crashAt.Load(); at > 0 && n >= at {
		fs.Crash()
	}
	if err := fs.fault(int(n), op, name); err != nil {
		return err
	}
	return fs.powered(act)
}
