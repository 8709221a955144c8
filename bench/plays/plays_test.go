package plays

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// stepsOfPlay is how long one play is.
const stepsOfPlay = 2000

// TestPlays plays against the naive world; the full run plays 100,000 steps.
func TestPlays(t *testing.T) {
	first, plays := number(t, "PARLEY_SEED", 1), number(t, "PARLEY_PLAYS", 2)
	var next, steps, requests atomic.Int64
	var all sync.WaitGroup
	var mu sync.Mutex
	acted, did, lacks := Tally{}, Tally{}, Tally{} // under mu
	for range 2 {                                  // a play waits now and then
		all.Go(func() {
			for !t.Failed() {
				n := next.Add(1) - 1
				if n >= plays {
					return
				}
				res, err := Run(t.Context(), uint64(first+n), stepsOfPlay)
				if err != nil {
					t.Errorf("PARLEY_SEED=%d PARLEY_PLAYS=1: %v", first+n, err)
				}
				steps.Add(int64(res.Steps))
				requests.Add(int64(res.Requests))
				mu.Lock()
				acted.Add(res.Acted)
				did.Add(res.Did)
				for _, op := range res.Lacks {
					lacks[op]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	t.Logf("PARLEY_SEED=%d: %d plays, %d steps, %d requests\nsteps: %v\ncarried out: %v", first, plays, steps.Load(), requests.Load(), acted, did)
	if t.Failed() {
		return
	}
	for op, n := range lacks {
		if n == int(plays) {
			t.Errorf("%s was never carried out", op)
		}
	}
	for _, a := range acts {
		if acted[a.name] == 0 {
			t.Errorf("%s was never drawn", a.name)
		}
	}
}

func number(t *testing.T, name string, otherwise int64) int64 {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(v, 10, 62)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q is no number from 1", name, v)
	}
	return n
}
