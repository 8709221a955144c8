package future

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/parley-im/parley"
)

var errBroken = errors.New("broken")

// promise makes a future that the test finishes by hand; interrupted tells the
// cause of the interrupt, nil while there is none.
func promise[T any](t *testing.T) (p *Promise[T], f *Future[T], interrupted func() error) {
	t.Helper()
	p, ctx := NewPromise[T](t.Context())
	return p, p.Future(), func() error { return context.Cause(ctx) }
}

func check[T comparable](t *testing.T, f *Future[T], want T, wantErr error) {
	t.Helper()
	if got, err := f.Await(t.Context()); got != want || !errors.Is(err, wantErr) {
		t.Errorf("got %v, %v, want %v, %v", got, err, want, wantErr)
	}
}

func checkPending[T any](t *testing.T, f *Future[T]) {
	t.Helper()
	if v, done, err := f.Poll(); done {
		t.Errorf("finished with %v, %v too early", v, err)
	}
}

func plusOne(n int) (int, error)          { return n + 1, nil }
func fails(int) (int, error)              { return 0, errBroken }
func panics(int) (int, error)             { panic(errBroken) }
func plusOneLater(n int) *Future[int]     { return Value(n + 1) }
func failsLater(int) *Future[int]         { return Failure[int](errBroken) }
func panicsLater(int) *Future[int]        { panic(errBroken) }
func forgetsFuture(int) *Future[int]      { return nil }
func handlesError(error) (int, error)     { return -1, nil }
func rescuesError(err error) *Future[int] { return Value(-2) }

func TestCombinators(t *testing.T) {
	for _, tc := range []struct {
		name string
		make func(f *Future[int]) *Future[int]
		in   error
		want int
		err  error
	}{
		{"map", func(f *Future[int]) *Future[int] { return Map(f, plusOne) }, nil, 2, nil},
		{"map of a failure", func(f *Future[int]) *Future[int] { return Map(f, plusOne) }, errBroken, 0, errBroken},
		{"map fails", func(f *Future[int]) *Future[int] { return Map(f, fails) }, nil, 0, errBroken},
		{"map panics", func(f *Future[int]) *Future[int] { return Map(f, panics) }, nil, 0, errBroken},
		{"flatmap", func(f *Future[int]) *Future[int] { return FlatMap(f, plusOneLater) }, nil, 2, nil},
		{"flatmap of a failure", func(f *Future[int]) *Future[int] { return FlatMap(f, plusOneLater) }, errBroken, 0, errBroken},
		{"flatmap fails", func(f *Future[int]) *Future[int] { return FlatMap(f, failsLater) }, nil, 0, errBroken},
		{"flatmap panics", func(f *Future[int]) *Future[int] { return FlatMap(f, panicsLater) }, nil, 0, errBroken},
		{"flatmap makes nothing", func(f *Future[int]) *Future[int] { return FlatMap(f, forgetsFuture) }, nil, 0, errNoFuture},
		{"handle", func(f *Future[int]) *Future[int] { return Handle(f, handlesError) }, errBroken, -1, nil},
		{"handle of a value", func(f *Future[int]) *Future[int] { return Handle(f, handlesError) }, nil, 1, nil},
		{"rescue", func(f *Future[int]) *Future[int] { return Rescue(f, rescuesError) }, errBroken, -2, nil},
		{"rescue of a value", func(f *Future[int]) *Future[int] { return Rescue(f, rescuesError) }, nil, 1, nil},
		{"share", Share[int], nil, 1, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, f, _ := promise[int](t)
			before := tc.make(f)
			checkPending(t, before)
			p.Set(1, tc.in)
			check(t, before, tc.want, tc.err)
			check(t, tc.make(f), tc.want, tc.err) // of one that is finished
		})
	}
}

// A failed future shows no value, whatever was set beside the error.
func TestFailureHasNoValue(t *testing.T) {
	p, f, _ := promise[int](t)
	p.Set(7, errBroken)
	check(t, f, 0, errBroken)
}

func TestPromiseIsWrittenOnce(t *testing.T) {
	p, f, _ := promise[int](t)
	if !p.Set(1, nil) || p.Set(2, errBroken) || p.Become(Value(3)) {
		t.Error("the first write, and it alone, writes")
	}
	check(t, f, 1, nil)

	other, inner, _ := promise[int](t)
	p, f, _ = promise[int](t)
	if !p.Become(inner) || p.Set(2, nil) || p.Become(Value(3)) {
		t.Error("the first write, and it alone, writes")
	}
	checkPending(t, f)
	other.Set(4, nil)
	check(t, f, 4, nil)
}

// Continuations run in the order of their registration, each with what it makes
// ready behind those that were ready before, on the goroutine that calls Set.
func TestOrder(t *testing.T) {
	p, f, _ := promise[int](t)
	var trace []string
	note := func(name string) func(int) (int, error) {
		return func(n int) (int, error) {
			trace = append(trace, name) // without a lock: -race sees another goroutine
			return n, nil
		}
	}
	a := Map(f, note("a"))
	Map(a, note("a1"))
	b := FlatMap(f, func(n int) *Future[int] { _, _ = note("b")(n); return Value(n) })
	Map(b, note("b1"))
	Map(a, note("a2"))
	Map(f, note("c"))
	p.Set(1, nil)
	if got, want := strings.Join(trace, " "), "a b c a1 a2 b1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // ends only when all goroutines have
		type key struct{}
		var kept context.Context
		f := Go(context.WithValue(t.Context(), key{}, 5), func(ctx context.Context) (int, error) {
			kept = ctx
			return ctx.Value(key{}).(int), nil
		})
		check(t, f, 5, nil)
		if kept.Err() == nil {
			t.Error("the context outlives the function")
		}
		check(t, Go(t.Context(), func(context.Context) (int, error) { return 1, errBroken }), 0, errBroken)
		check(t, Go(t.Context(), func(context.Context) (int, error) { runtime.Goexit(); return 1, nil }), 0, errExit)

		over, cancel := context.WithCancel(t.Context())
		cancel()
		never := Go(over, func(context.Context) (int, error) { t.Error("ran"); return 1, nil })
		check(t, never, 0, context.Canceled)
		if _, err := never.Await(t.Context()); parley.CodeOf(err) != parley.Unavailable {
			t.Errorf("got %v, want an Unavailable", err)
		}
	})
}

// A panic is an Internal failure with its stack, whatever was thrown.
func TestPanics(t *testing.T) {
	thrown := parley.E(parley.NotFound, "x", "")
	for name, f := range map[string]*Future[int]{
		"go":      Go(t.Context(), func(context.Context) (int, error) { panic(thrown) }),
		"map":     Map(Value(1), func(int) (int, error) { panic(thrown) }),
		"handle":  Handle(Failure[int](errBroken), func(error) (int, error) { panic(thrown) }),
		"flatmap": FlatMap(Value(1), func(int) *Future[int] { panic(thrown) }),
		"rescue":  Rescue(Failure[int](errBroken), func(error) *Future[int] { panic(thrown) }),
	} {
		_, err := f.Await(t.Context())
		var p *PanicError
		if !errors.As(err, &p) || !errors.Is(err, thrown) || parley.CodeOf(err) != parley.Internal {
			t.Errorf("%s: got %v, want an Internal with the panic", name, err)
			continue
		}
		if !strings.Contains(string(p.Stack), "TestPanics") || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("%s: the stack belongs into Stack and not into %q", name, err)
		}
	}
	if got := fmt.Sprint(&PanicError{Value: "odd"}, (&PanicError{Value: "odd"}).Unwrap()); got != "panic: odd <nil>" {
		t.Errorf("got %q", got)
	}
}

func TestGather(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		items := []int{5, 1, 4, 2, 3}
		var most, running int
		lock := make(chan struct{}, 1)
		enter := func(by int) {
			lock <- struct{}{}
			running += by
			most = max(most, running)
			<-lock
		}
		double := func(ctx context.Context, n int) (int, error) {
			enter(1)
			defer enter(-1)
			synctestSleep(ctx, n)
			if n == 4 {
				return 2 * n, ctx.Err()
			}
			return 2 * n, nil
		}
		got, err := Gather(t.Context(), 2, items, double).Await(t.Context())
		if want := []int{10, 2, 8, 4, 6}; !slices.Equal(got, want) || err != nil || most != 2 {
			t.Errorf("got %v, %v, %d at once; want %v, 2 at once", got, err, most, want)
		}
		var calls int
		f := Gather(t.Context(), 1, items, func(_ context.Context, n int) (int, error) {
			calls++
			return n, errBroken
		})
		if got, err := f.Await(t.Context()); got != nil || err != errBroken || calls != 1 {
			t.Errorf("got %v, %v after %d calls, want the failure of the first", got, err, calls)
		}
		if got, err := Gather(t.Context(), 4, nil, double).Await(t.Context()); len(got) != 0 || err != nil {
			t.Errorf("of nothing: got %v, %v", got, err)
		}
		stopped := Gather(t.Context(), 2, items, double)
		synctest.Wait()
		stopped.Raise(errBroken)
		if _, err := stopped.Await(t.Context()); !errors.Is(err, errBroken) || parley.CodeOf(err) != parley.Unavailable {
			t.Errorf("interrupted: got %v, want an Unavailable with the cause", err)
		}
	})
}
