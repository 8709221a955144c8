package torture

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/parley-im/parley/persistence"
)

// Jitter is a store whose operations wait by seed, before they are done and before
// their answer is given, so that those of two servers come in any order. While it
// works the clock of the play goes on.
type Jitter struct {
	persistence.Store
	clock *Clock

	mu  sync.Mutex
	rng *rand.Rand // under mu
	ops int        // under mu
}

// NewJitter wraps a store.
func NewJitter(s persistence.Store, seed uint64, clock *Clock) *Jitter {
	return &Jitter{Store: s, clock: clock, rng: rand.New(rand.NewPCG(seed, 0x717))}
}

// Pauses of an operation.
const (
	pauses     = 4 // one of so many is taken
	longPauses = 10
	briefly    = 300 * time.Microsecond
)

// wait holds an operation back, most often not at all.
func (j *Jitter) wait() {
	j.mu.Lock()
	j.ops++
	n, long := j.rng.IntN(pauses), j.rng.IntN(longPauses) == 0
	step := time.Duration(j.rng.IntN(400)) * time.Millisecond
	j.mu.Unlock()
	j.clock.Step(step)
	switch {
	case n > 0:
	case long:
		time.Sleep(10 * briefly)
	default:
		time.Sleep(briefly)
	}
}

// Read implements persistence.Store.
func (j *Jitter) Read(ctx context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) ([][]persistence.Cell, error) {
	j.wait()
	defer j.wait()
	return j.Store.Read(ctx, t, row, ranges...)
}

// Commit implements persistence.Store.
func (j *Jitter) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	j.wait()
	defer j.wait()
	return j.Store.Commit(ctx, t, row, check, cells)
}

// Put implements persistence.Store.
func (j *Jitter) Put(ctx context.Context, t persistence.Table, row []byte, cells []persistence.Cell) error {
	j.wait()
	defer j.wait()
	return j.Store.Put(ctx, t, row, cells)
}

// Erase implements persistence.Store.
func (j *Jitter) Erase(ctx context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) error {
	j.wait()
	defer j.wait()
	return j.Store.Erase(ctx, t, row, dead...)
}
