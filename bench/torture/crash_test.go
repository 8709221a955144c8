package torture

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// lossesPerSeed is how often one play loses power, each time at another operation.
const lossesPerSeed = 8

// TestTorturePowerLosses takes the power of the whole composition, store, blobs,
// directory and grains on one disk, at operations drawn over all that a play makes,
// openings and endings included; now and then again in the life after.
func TestTorturePowerLosses(t *testing.T) {
	share, err := ShareOf(Parts{Quick: 16, Full: 150, Long: 1000, Percent: 40})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("PARLEY_SEED=%d", share.Seed)
	var losses, commands, next atomic.Int64
	var all sync.WaitGroup
	for range 4 { // plays wait more than they work
		all.Go(func() {
			for share.More(int(losses.Load())) && !t.Failed() {
				seed := share.Seed + uint64(next.Add(1)) - 1
				l, c := losePower(t, seed)
				losses.Add(l)
				commands.Add(c)
			}
		})
	}
	all.Wait()
	t.Logf("%d power losses over %d plays, %d commands", losses.Load(), next.Load(), commands.Load())
}

// losePower plays a seed to its end, which counts its operations, then loses power
// in it.
func losePower(t *testing.T, seed uint64) (losses, commands int64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 6))
	c := Crash{Seed: seed, Steps: 18, People: 4}
	whole, err := c.Run(t.Context())
	report(t, c, whole, err)
	for i := range lossesPerSeed {
		if t.Failed() || whole.Ops == 0 {
			break
		}
		c.Point = 1 + rng.IntN(whole.Ops)
		if c.Second = 0; i%3 == 0 {
			c.Second = 1 + rng.IntN(whole.Ops)
		}
		res, err := c.Run(t.Context())
		report(t, c, res, err)
		losses += int64(res.Losses)
		commands += int64(res.Commands)
	}
	return losses, commands
}

func report(t *testing.T, c Crash, res Result, err error) {
	t.Helper()
	if err == nil && len(res.Problems) == 0 {
		return
	}
	t.Errorf("seed %d, power lost at operation %d, then %d, of %d: %v", c.Seed, c.Point, c.Second, res.Ops, err)
	for _, p := range res.Problems[:min(5, len(res.Problems))] {
		t.Error(p)
	}
}
