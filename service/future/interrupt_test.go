package future

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
)

func synctestSleep(ctx context.Context, seconds int) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Duration(seconds) * time.Second):
	}
}

var errBored, errAway = errors.New("bored"), errors.New("away")

func checkCause(t *testing.T, interrupted func() error, want error) {
	t.Helper()
	if got := interrupted(); got != want {
		t.Errorf("the producer hears %v, want %v", got, want)
	}
}

// An interrupt passes through every combinator, changes no state, and leaves the
// producer free to answer.
func TestRaiseTravels(t *testing.T) {
	for name, derive := range map[string]func(f *Future[int]) *Future[int]{
		"itself":  func(f *Future[int]) *Future[int] { return f },
		"map":     func(f *Future[int]) *Future[int] { return Map(f, plusOne) },
		"handle":  func(f *Future[int]) *Future[int] { return Handle(f, handlesError) },
		"flatmap": func(f *Future[int]) *Future[int] { return FlatMap(f, plusOneLater) },
		"rescue":  func(f *Future[int]) *Future[int] { return Rescue(f, rescuesError) },
		"within":  func(f *Future[int]) *Future[int] { return Within(f, time.Hour) },
		"share":   Share[int],
		"collect": func(f *Future[int]) *Future[int] {
			return Map(Collect(f, Value(2)), func(v []int) (int, error) { return v[0], nil })
		},
		"select": func(f *Future[int]) *Future[int] {
			return Map(Select(f), func(s Selected[int]) (int, error) { return s.Value, s.Err })
		},
		"join": func(f *Future[int]) *Future[int] {
			return Map(Join(f, Value("x")), func(p Pair[int, string]) (int, error) { return p.First, nil })
		},
		"second step": func(f *Future[int]) *Future[int] { return FlatMap(Value(1), func(int) *Future[int] { return f }) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, f, interrupted := promise[int](t)
				g := derive(f)
				synctest.Wait()
				g.Raise(errBored)
				checkCause(t, interrupted, errBored)
				checkPending(t, g)
				p.Set(1, nil)
				if _, done, _ := g.Poll(); !done {
					t.Error("the producer's answer did not come through")
				}
			})
		})
	}
}

func TestRaiseWithoutCause(t *testing.T) {
	_, f, interrupted := promise[int](t)
	f.Raise(nil)
	checkCause(t, interrupted, ErrInterrupted)
	if !errors.Is(ErrInterrupted, context.Canceled) || parley.CodeOf(ErrInterrupted) != parley.Unavailable {
		t.Errorf("%v is no cancellation", ErrInterrupted)
	}
	f.Raise(errBored)
	checkCause(t, interrupted, ErrInterrupted) // the first cause stays
	Value(1).Raise(nil)
}

// One consumer does not interrupt what another wants.
func TestRaiseOfShared(t *testing.T) {
	p, f, interrupted := promise[int](t)
	a, b := Map(f, plusOne), Map(f, plusOne)
	f.Raise(errAway) // the holder; a and b decide
	a.Raise(errBored)
	a.Raise(errBored) // counts once
	checkCause(t, interrupted, nil)
	c := Share(f)
	b.Raise(errBored)
	checkCause(t, interrupted, nil)
	c.Raise(errAway)
	checkCause(t, interrupted, errAway)
	p.Set(1, nil)
	check(t, a, 2, nil) // who left gets the answer all the same
	check(t, c, 1, nil)
}

// So it is when a FlatMap returns what others hold, and before they register.
func TestRaiseOfSharedSecondStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, cached, interrupted := promise[int](t)
		lookUp := func(int) *Future[int] { return cached }
		a, b := FlatMap(Value(1), lookUp), FlatMap(Value(2), lookUp)
		synctest.Wait()
		c := Map(cached, plusOne)
		c.Raise(errBored)
		checkCause(t, interrupted, nil)
		a.Raise(errBored)
		checkCause(t, interrupted, nil)
		cached.Raise(errBored) // b is its consumer
		checkCause(t, interrupted, nil)
		b.Raise(errAway)
		checkCause(t, interrupted, errAway)
		p.Set(1, nil)
		check(t, a, 1, nil)
		check(t, b, 1, nil)
		check(t, c, 2, nil)
	})
}

// Nothing new begins for a future that nobody wants.
func TestInterruptedBeginsNothing(t *testing.T) {
	p, f, _ := promise[int](t)
	never := func(int) *Future[int] { t.Error("began"); return Value(1) }
	next := FlatMap(f, never)
	saved := Rescue(next, func(error) *Future[int] { return never(0) })
	saved.Raise(errBored)
	p.Set(1, nil)
	check(t, next, 0, errBored)
	check(t, saved, 0, errBored)
}

// What was interrupted before it is returned stays so.
func TestReturnOfAnInterrupted(t *testing.T) {
	p, f, _ := promise[int](t)
	given := FlatMap(f, func(int) *Future[int] { t.Error("began"); return Value(1) })
	given.Raise(errBored)
	q, all, _ := promise[int](t)
	q.Become(given)
	p.Set(1, nil)
	check(t, all, 0, errBored)
}

// What a second step began hears of an interrupt that came while it was begun.
func TestRaiseWhileTheNextStepBegins(t *testing.T) {
	for _, shared := range []bool{false, true} {
		p, f, _ := promise[int](t)
		q, second, interrupted := promise[int](t)
		var next, other *Future[int]
		next = FlatMap(f, func(int) *Future[int] {
			next.Raise(errBored)
			if shared {
				other = Share(second)
			}
			return second
		})
		p.Set(1, nil)
		if shared {
			checkCause(t, interrupted, nil)
			other.Raise(errAway)
			checkCause(t, interrupted, errAway)
		} else {
			checkCause(t, interrupted, errBored)
		}
		q.Set(2, nil)
		check(t, next, 2, nil)
	}
}

func TestAwaitGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		obedient := func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, context.Cause(ctx) }
		f := Go(t.Context(), obedient)
		first, cancel := context.WithTimeoutCause(t.Context(), time.Second, errBored)
		defer cancel()
		second, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errAway)
		defer cancel()
		go func() { _, _ = f.Await(second) }()

		_, err := f.Await(first)
		if !errors.Is(err, context.DeadlineExceeded) || parley.CodeOf(err) != parley.Unavailable {
			t.Errorf("got %v, want an Unavailable for the deadline", err)
		}
		checkPending(t, f) // the other still waits
		<-second.Done()
		synctest.Wait()
		check(t, f, 0, errAway)
		if _, err := f.Await(first); !errors.Is(err, errAway) {
			t.Errorf("got %v: an outcome wins over a context that is over", err)
		}
	})
}

// Who waits and goes leaves nothing behind at a future that never finishes.
func TestLeaversLeaveNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, f, interrupted := promise[int](t)
		keep := Share(f)
		for range 100 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, _ = f.Await(ctx)
			cancel()
			_, _ = Within(f, time.Second).Await(t.Context())
			_, _ = Collect(f, Failure[int](errBroken)).Await(t.Context())
			_, _ = Select(f, Value(1)).Await(t.Context())
		}
		n := 0
		for h := f.waiters.first; h != nil; h = h.next {
			n++
		}
		if n != 1 || f.interest.own != 1 || interrupted() != nil {
			t.Errorf("%d waiters, %d consumers, interrupted by %v; want the share alone", n, f.interest.own, interrupted())
		}
		p.Set(1, nil)
		check(t, keep, 1, nil)
	})
}
