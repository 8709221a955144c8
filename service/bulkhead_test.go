package service

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/limit"
)

// Two run, one waits, the fourth is refused at once; the one that waits is
// refused in the end.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBulkhead(BulkheadConfig{
			Op: "test", Running: 2, Queue: 1, MaxWait: 3 * time.Second,
			Code: parley.RateLimited, RetryAfter: 9 * time.Second,
		})
		s := Limit[time.Duration, string](b).AndThen(sleeper)
		call := func() <-chan error {
			done := make(chan error, 1)
			go func() { _, err := s(t.Context(), 10*time.Second); done <- err }()
			synctest.Wait()
			return done
		}
		start := time.Now()
		first, second, waits := call(), call(), call()
		if got := b.Waiting(); got != 1 {
			t.Errorf("%d wait, want 1", got)
		}
		checkRefused(t, <-call(), parley.RateLimited, 9*time.Second)
		if took := time.Since(start); took != 0 {
			t.Errorf("a full queue kept a caller for %v", took)
		}
		checkRefused(t, <-waits, parley.RateLimited, 9*time.Second)
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("waited %v, want 3s", took)
		}
		if err := errors.Join(<-first, <-second, <-call()); err != nil {
			t.Errorf("those with a place: %v", err)
		}
	})
}

func checkRefused(t *testing.T, err error, code parley.Code, after time.Duration) {
	t.Helper()
	var refusal *limit.Error
	if !errors.As(err, &refusal) || parley.CodeOf(err) != code || refusal.RetryAfter() != after {
		t.Errorf("got %v, want a refusal of code %d for %v", err, code, after)
	}
}

// The place of one that panics or fails comes back.
func TestLimitGivesPlacesBack(t *testing.T) {
	b := NewBulkhead(BulkheadConfig{Op: "test", Running: 1})
	panics := Chain(Recover[string, string](RecoverConfig{}), Limit[string, string](b)).AndThen(breaks)
	for range 3 {
		if _, err := panics(t.Context(), "xx"); parley.CodeOf(err) != parley.Internal {
			t.Fatalf("got %v, want the panic", err)
		}
	}
	// One pool serves another type of service as well.
	if _, err := Limit[time.Duration, string](b).AndThen(sleeper)(t.Context(), 0); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestLimitOfCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBulkhead(BulkheadConfig{Op: "test", Running: 1, Queue: 5})
		release, err := b.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := b.Acquire(ctx); !errors.Is(err, context.DeadlineExceeded) || parley.CodeOf(err) != parley.Unavailable {
			t.Errorf("waiting: got %v, want an Unavailable for the deadline", err)
		}
		release()
		if _, err := b.Acquire(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("already over: got %v, want the deadline", err)
		}
		if got := b.Waiting(); got != 0 {
			t.Errorf("%d wait, want none", got)
		}
	})
}

// Under any interleaving no more run than may.
func TestLimitHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most, served atomic.Int64
		s := Limit[int, int](NewBulkhead(BulkheadConfig{Op: "test", Running: 4, Queue: 100, MaxWait: time.Hour})).
			AndThen(func(_ context.Context, n int) (int, error) {
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(time.Duration(n%7) * time.Second)
				running.Add(-1)
				served.Add(1)
				return n, nil
			})
		for n := range 104 {
			go func() { _, _ = s(t.Context(), n) }()
		}
		time.Sleep(time.Hour)
		if most.Load() > 4 || served.Load() != 104 {
			t.Errorf("%d ran at once, %d of 104 were served; want 4 and all", most.Load(), served.Load())
		}
	})
}
