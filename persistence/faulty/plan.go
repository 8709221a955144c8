package faulty

import (
	"math/rand/v2"
	"sync"
)

// Plan says what becomes of each operation. It may block, to hold one back.
type Plan func(Op) Outcome

// Rates are shares of 100 operations. For reads all of them are plain failures.
type Rates struct {
	Refuse, LoseAnswer, LoseRequest, IgnoreCheck int
}

// Seeded draws an outcome for each operation. The same seed draws the same
// outcomes in the order in which operations come.
func Seeded(seed uint64, r Rates) Plan {
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(seed, 0xfa17))
	return func(Op) Outcome {
		mu.Lock()
		defer mu.Unlock()
		n := rng.IntN(100)
		for _, share := range []struct {
			of   int
			then Outcome
		}{{r.Refuse, Refuse}, {r.LoseAnswer, LoseAnswer}, {r.LoseRequest, LoseRequest}, {r.IgnoreCheck, IgnoreCheck}} {
			if n -= share.of; n < 0 {
				return share.then
			}
		}
		return Pass
	}
}

// Script gives the writes these outcomes, in the order in which they come, and then lets all pass. Reads pass.
func Script(outcomes ...Outcome) Plan {
	var mu sync.Mutex
	return func(op Op) Outcome {
		mu.Lock()
		defer mu.Unlock()
		if !op.Kind.IsWrite() || len(outcomes) == 0 {
			return Pass
		}
		o := outcomes[0]
		outcomes = outcomes[1:]
		return o
	}
}

// Nth gives the n-th operation of a kind an outcome, and lets all others pass.
func Nth(k Kind, n int, o Outcome) Plan {
	return func(op Op) Outcome {
		if op.Kind == k && op.Nth == n {
			return o
		}
		return Pass
	}
}
