package future

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
)

func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, f, interrupted := promise[int](t)
		late := Within(f, time.Second)
		start := time.Now()
		check(t, late, 0, ErrTimeout)
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %v, want 1s", took)
		}
		checkCause(t, interrupted, ErrTimeout)
		if !errors.Is(ErrTimeout, context.DeadlineExceeded) || parley.CodeOf(ErrTimeout) != parley.Unavailable {
			t.Errorf("%v is no deadline", ErrTimeout)
		}
		p.Set(1, nil)
		check(t, late, 0, ErrTimeout)
		check(t, Within(f, -1), 1, nil) // what is there is in time

		p, f, interrupted = promise[int](t)
		inTime := Within(f, time.Second)
		p.Set(1, nil)
		check(t, inTime, 1, nil)
		time.Sleep(time.Minute)
		if got := interrupted(); got != context.Canceled {
			t.Errorf("interrupted by %v after the end", got)
		}
	})
}

func TestCollect(t *testing.T) {
	pa, a, _ := promise[int](t)
	pb, b, _ := promise[int](t)
	all := Collect(a, Value(7), b, a)
	pb.Set(2, nil)
	checkPending(t, all)
	pa.Set(1, nil)
	if got, err := all.Await(t.Context()); !slices.Equal(got, []int{1, 7, 2, 1}) || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := Collect[int]().Await(t.Context()); got == nil || len(got) != 0 || err != nil {
		t.Errorf("of none: got %v, %v", got, err)
	}
	if got, err := Collect(Value(1), Value(2)).Await(t.Context()); !slices.Equal(got, []int{1, 2}) || err != nil {
		t.Errorf("of finished: got %v, %v", got, err)
	}
}

// The first failure is the outcome at once, and the cause for those that no one
// else wants.
func TestCollectFailsAtOnce(t *testing.T) {
	_, a, interruptedA := promise[int](t)
	pb, b, _ := promise[int](t)
	_, c, interruptedC := promise[int](t)
	keep := Share(c)
	all := Collect(a, b, c)
	pb.Set(0, errBroken)
	if got, err := all.Await(t.Context()); got != nil || err != errBroken {
		t.Errorf("got %v, %v, want the failure", got, err)
	}
	checkCause(t, interruptedA, errBroken)
	checkCause(t, interruptedC, nil)
	checkPending(t, keep)

	// Also of those that stand behind one that has failed already.
	_, d, interruptedD := promise[int](t)
	check(t, Map(Collect(b, d), func([]int) (int, error) { return 0, nil }), 0, errBroken)
	checkCause(t, interruptedD, errBroken)
}

func TestJoin(t *testing.T) {
	pa, a, _ := promise[int](t)
	both := Join(a, Value[error](nil))
	pa.Set(1, nil)
	check(t, both, Pair[int, error]{1, nil}, nil)

	_, b, interrupted := promise[string](t)
	check(t, Join(b, Failure[int](errBroken)), Pair[string, int]{}, errBroken)
	checkCause(t, interrupted, errBroken)
}

func TestSelect(t *testing.T) {
	pa, a, interruptedA := promise[int](t)
	pb, b, _ := promise[int](t)
	_, c, interruptedC := promise[int](t)
	first := Select(a, b, c)
	checkPending(t, first)
	pb.Set(0, errBroken)
	s, err := first.Await(t.Context())
	if err != nil || s.Index != 1 || s.Err != errBroken || !slices.Equal(s.Rest, []*Future[int]{a, c}) {
		t.Fatalf("got %+v, %v", s, err)
	}
	checkCause(t, interruptedA, nil)
	checkCause(t, interruptedC, nil)
	s.Rest[1].Raise(errBored) // they are the caller's again
	checkCause(t, interruptedC, errBored)
	pa.Set(1, nil)
	check(t, s.Rest[0], 1, nil)

	if s, _ := Select(c, Value(2), Value(3)).Await(t.Context()); s.Index != 1 || s.Value != 2 {
		t.Errorf("of finished: got %+v, want the first of them", s)
	}
	if _, err := Select[int]().Await(t.Context()); err != errNone {
		t.Errorf("of none: got %v", err)
	}
}

// Fans over futures that finish on other goroutines, at any moment of the call.
func TestFansUnderRace(t *testing.T) {
	for round := range 300 {
		ctx := t.Context()
		later := func(n int) *Future[int] {
			return Go(ctx, func(context.Context) (int, error) {
				if round%3 == 2 && n == round%5 {
					return 0, errBroken
				}
				return n, nil
			})
		}
		all := Collect(later(0), later(1), later(2), later(3), later(4))
		got, err := all.Await(ctx)
		if want := "[0 1 2 3 4] <nil>"; fmt.Sprint(got, err) != want && !(round%3 == 2 && err == errBroken) {
			t.Fatalf("got %v, %v", got, err)
		}
		left := []*Future[int]{later(10), later(11), later(12)}
		sum := 0
		for len(left) > 0 {
			s, err := Select(left...).Await(ctx)
			if err != nil {
				t.Fatal(err)
			}
			sum += s.Value
			left = s.Rest
		}
		if sum != 33 {
			t.Fatalf("selected a sum of %d, want 33", sum)
		}
	}
}
