package service

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/limit"
)

var errAway = parley.E(parley.Unavailable, "test", "away")

// peer fails as told, one error per request, and then answers.
type peer struct {
	errs  []error
	calls int
	at    []time.Duration // since the start
	start time.Time
}

func (p *peer) serve(context.Context, string) (string, error) {
	if p.start.IsZero() {
		p.start = time.Now()
	}
	p.at = append(p.at, time.Since(p.start))
	if p.calls++; p.calls <= len(p.errs) {
		return "", p.errs[p.calls-1]
	}
	return "answer", nil
}

func TestRetry(t *testing.T) {
	asked := limit.Refuse(parley.Unavailable, "test", 700*time.Millisecond)
	tooLong := limit.Refuse(parley.Unavailable, "test", time.Minute)
	refused := parley.E(parley.NotFound, "test", "no")
	for _, tc := range []struct {
		name     string
		errs     []error
		deadline time.Duration
		want     string // error
		at       string // requests, in milliseconds
	}{
		{"answers", nil, time.Hour, "<nil>", "[0s]"},
		{"fails once", []error{errAway}, time.Hour, "<nil>", "[0s 50ms]"},
		{"fails twice", []error{errAway, errAway}, time.Hour, "<nil>", "[0s 50ms 150ms]"},
		{"fails for good", []error{errAway, errAway, errAway}, time.Hour, "test: away", "[0s 50ms 150ms]"},
		{"refuses", []error{refused}, time.Hour, "test: no", "[0s]"},
		{"says when", []error{asked}, time.Hour, "<nil>", "[0s 700ms]"},
		{"says much later", []error{tooLong}, time.Hour, tooLong.Error(), "[0s]"},
		{"no time for the next", []error{errAway, errAway}, 100 * time.Millisecond, "test: away", "[0s 50ms]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &peer{errs: tc.errs}
				ctx, cancel := context.WithTimeout(t.Context(), tc.deadline)
				defer cancel()
				var retries count
				s := Retry[string, string](RetryConfig{Random: func() float64 { return 1 }, Retries: &retries}).AndThen(p.serve)
				_, err := s(ctx, "")
				if fmt.Sprint(err) != tc.want || fmt.Sprint(p.at) != tc.at || int(retries) != p.calls-1 {
					t.Errorf("got %v after requests at %v, %d counted; want %s, %s", err, p.at, retries, tc.want, tc.at)
				}
				if idle := time.Since(p.start) - p.at[len(p.at)-1]; idle != 0 {
					t.Errorf("waited %v for nothing", idle)
				}
			})
		})
	}
}

func TestRetryStopsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &peer{errs: []error{errAway, errAway}}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		s := Retry[string, string](RetryConfig{Random: func() float64 { return 1 }}).AndThen(p.serve)
		if _, err := s(ctx, ""); !errors.Is(err, errAway) || p.calls != 1 || time.Since(p.start) != 20*time.Millisecond {
			t.Errorf("got %v after %d requests and %v", err, p.calls, time.Since(p.start))
		}
	})
}

// While a peer is down, retries stay a share of the requests.
func TestRetryBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		down := Service[string, string](func(context.Context, string) (string, error) { calls++; return "", errAway })
		budget := NewBudget(BudgetConfig{Percent: 20, Burst: 5})
		s := Retry[string, string](RetryConfig{Budget: budget}).AndThen(down)
		for range 1000 {
			_, _ = s(t.Context(), "")
		}
		// The burst and a fifth of all; the first five deposits found it full.
		if want := 1000 + 5 + 200; calls > want || calls < want-5 {
			t.Errorf("%d requests, want %d or a few less", calls, want)
		}
		if denied := budget.Denied(); denied < 700 {
			t.Errorf("%d denied, want most", denied)
		}
	})
}

func TestBudgetSavesNoMoreThanABurst(t *testing.T) {
	b := NewBudget(BudgetConfig{Percent: 50, Burst: 2})
	for range 100 {
		b.Deposit()
	}
	got := 0
	for b.Withdraw() {
		got++
	}
	if got != 2 {
		t.Errorf("%d at once, want 2", got)
	}
	if b.Deposit(); b.Withdraw() {
		t.Error("half a request is none")
	}
	if b.Deposit(); !b.Withdraw() {
		t.Error("two halves are one")
	}
}
