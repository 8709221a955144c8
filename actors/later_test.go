package actors

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"
)

// hooks is a context that counts what hangs on it.
type hooks struct {
	context.Context
	done chan struct{}
	hung atomic.Int64
}

func (h *hooks) Done() <-chan struct{} { return h.done }

// AfterFunc is what package context asks a foreign context for.
func (h *hooks) AfterFunc(func()) (stop func() bool) {
	h.hung.Add(1)
	return func() bool { h.hung.Add(-1); return true }
}

func TestLaterLeavesNothingOnItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hooks{Context: context.Background(), done: make(chan struct{})}
		var called atomic.Int64
		for range 3 {
			later(h, time.Second, func() { called.Add(1) })
		}
		if n := h.hung.Load(); n != 3 {
			t.Fatalf("%d hang on the context, want 3", n)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if h.hung.Load() != 0 || called.Load() != 3 {
			t.Errorf("%d hang on the context, %d were called; want 0, 3", h.hung.Load(), called.Load())
		}
	})
}

func TestLaterEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		later(ctx, time.Second, func() { t.Error("called after the end") })
		cancel()
		time.Sleep(2 * time.Second)
	})
}

func TestParkedReadIsForgotten(t *testing.T) {
	h := newByHand(t)
	var timers []func()
	h.later = func(_ time.Duration, f func()) { timers = append(timers, f) }
	s := newMailboxSide(h.activation, &leaving{}, &jobs{}, &transfers{})
	what := parkedRead(s)
	h.committed = 1
	s.committed()
	runtime.GC()
	if what.Value() != nil {
		t.Error("the timer still holds the read that went on")
	}
	for _, f := range timers {
		f()
	}
}

// parkedRead waits for the first action and refers to something large.
func parkedRead(s *mailboxSide) (what weak.Pointer[[1 << 16]byte]) {
	large := new([1 << 16]byte)
	s.park(1, time.Minute, func(error) { large[0]++ })
	return weak.Make(large)
}
