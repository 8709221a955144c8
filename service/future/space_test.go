package future

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

// gauge measures at some steps of a loop what it holds.
type gauge struct {
	t     *testing.T
	steps int    // of the whole loop
	heap  uint64 // at the first measure
}

// look reports the loop that grows in stack or memory. It stops the world, so it
// looks at four steps only.
func (g *gauge) look(step int) {
	if step%(g.steps/4) != g.steps/8 {
		return
	}
	if depth := runtime.Callers(0, make([]uintptr, 100)); depth > 40 {
		g.t.Errorf("step %d: %d callers or more", step, depth)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if g.heap == 0 {
		g.heap = m.HeapAlloc
	}
	if m.HeapAlloc > g.heap+512<<10 {
		g.t.Errorf("step %d: holds %d KiB more than at the first look", step, (m.HeapAlloc-g.heap)>>10)
	}
}

// A loop that calls itself in FlatMap or Rescue runs for ever in constant space.
func TestLoopsInConstantSpace(t *testing.T) {
	t.Run("finished futures", func(t *testing.T) {
		g := gauge{t: t, steps: loopSteps}
		var loop func(n int) *Future[int]
		loop = func(n int) *Future[int] {
			if g.look(n); n == g.steps {
				return Value(n)
			}
			return FlatMap(Value(n+1), loop)
		}
		check(t, loop(0), g.steps, nil)
	})
	t.Run("finished failures", func(t *testing.T) {
		g := gauge{t: t, steps: 100_000}
		n := 0
		var loop func(error) *Future[int]
		loop = func(error) *Future[int] {
			if g.look(n); n == g.steps {
				return Value(n)
			}
			n++
			return Rescue(Failure[int](errBroken), loop)
		}
		check(t, loop(nil), g.steps, nil)
	})
	t.Run("futures that finish later", func(t *testing.T) {
		g := gauge{t: t, steps: 100_000}
		var step *Promise[int]
		var loop func(n int) *Future[int]
		loop = func(n int) *Future[int] {
			if g.look(n); n == g.steps {
				return Value(n)
			}
			var f *Future[int]
			step, f, _ = promise[int](t)
			return FlatMap(f, loop)
		}
		all := Map(loop(0), plusOne)
		for n := 1; n <= g.steps; n++ {
			step.Set(n, nil)
		}
		check(t, all, g.steps+1, nil)
	})
}

// A chain that is long in itself takes memory, but no stack: neither for values
// on their way down nor for an interrupt on its way up.
func TestLongChainsInConstantStack(t *testing.T) {
	const long = 50_000
	p, f, interrupted := promise[int](t)
	last, deepest := f, 0
	for range long {
		last = Map(last, func(n int) (int, error) {
			if n%(long/4) == 1 {
				deepest = max(deepest, runtime.Callers(0, make([]uintptr, 100)))
			}
			return n + 1, nil
		})
	}
	last.Raise(errBored)
	checkCause(t, interrupted, errBored)
	p.Set(0, nil)
	check(t, last, long, nil)
	if deepest > 40 {
		t.Errorf("%d callers or more", deepest)
	}

	// Futures that became one another from the inside out.
	p, f, interrupted = promise[int](t)
	q := make([]*Promise[int], long)
	last = f
	for i := range q {
		inner := last
		q[i], last, _ = promise[int](t)
		last = FlatMap(last, func(int) *Future[int] { return inner })
	}
	for i := range q {
		q[i].Set(0, nil)
	}
	last.Raise(errBored)
	checkCause(t, interrupted, errBored)
	p.Set(5, nil)
	check(t, last, 5, nil)
}

func TestFutureOfItself(t *testing.T) {
	p, f, _ := promise[int](t)
	var own *Future[int]
	own = FlatMap(f, func(int) *Future[int] { return own })
	p.Set(1, nil)
	check(t, own, 0, errItself)
}

// Two futures that become each other at the same moment fail or never finish, as
// they must, but hold up nobody.
func TestCrosswise(t *testing.T) {
	for range 500 {
		p, a, _ := promise[int](t)
		q, b, _ := promise[int](t)
		var both sync.WaitGroup
		both.Go(func() { p.Become(b) })
		both.Go(func() { q.Become(a) })
		both.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Microsecond)
		_, _ = a.Await(ctx)
		_, _ = b.Await(ctx)
		cancel()
	}
}

// Many loops at once, each interrupted, shared or left alone, on real goroutines.
func TestLoopsUnderRace(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for round := range 50 {
				ctx, cancel := context.WithCancel(t.Context())
				var loop func(n int) *Future[int]
				loop = func(n int) *Future[int] {
					if n == 20 {
						return Value(n)
					}
					next := Go(ctx, func(ctx context.Context) (int, error) { return n + 1, ctx.Err() })
					if n%3 == i%3 {
						Map(next, plusOne)
					}
					return FlatMap(next, loop)
				}
				f := loop(0)
				other := Share(f)
				if round%2 == 0 {
					f.Raise(errBored)
					go cancel()
				}
				got, err := f.Await(t.Context())
				again, errAgain := other.Await(t.Context())
				if fmt.Sprint(got, err) != fmt.Sprint(again, errAgain) || round%2 == 1 && got != 20 {
					t.Errorf("got %v, %v and %v, %v", got, err, again, errAgain)
				}
				cancel()
			}
		})
	}
	wg.Wait()
}
