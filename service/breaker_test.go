package service

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
)

// told answers with the error that it is asked with. Asked with errWait it waits
// for the end of its context and fails, with errLate it answers then all the same.
func told(ctx context.Context, err error) (string, error) {
	switch err {
	case errWait:
		<-ctx.Done()
		return "", parley.Wrap(parley.Unavailable, "test", ctx.Err())
	case errLate:
		<-ctx.Done()
		return "answer", nil
	}
	return "answer", err
}

var errWait, errLate = errors.New("wait"), errors.New("late")

func TestGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened count
		b := NewBreaker(BreakerConfig{Op: "test", Least: 10, Opened: &opened, Probes: 2})
		s := Guard[error, string](b).AndThen(told)
		ask := func(err error) error { _, got := s(t.Context(), err); return got }

		for range 9 {
			_ = ask(errAway)
		}
		if err := ask(parley.E(parley.NotFound, "test", "no")); parley.CodeOf(err) != parley.NotFound {
			t.Errorf("got %v, want the peer's refusal", err)
		}
		checkRefused(t, ask(nil), parley.Unavailable, 5*time.Second)
		time.Sleep(2 * time.Second)
		checkRefused(t, ask(nil), parley.Unavailable, 3*time.Second)

		time.Sleep(3 * time.Second) // probes: one that fails opens again
		if err := ask(errAway); !errors.Is(err, errAway) {
			t.Errorf("the probe: got %v", err)
		}
		checkRefused(t, ask(nil), parley.Unavailable, 5*time.Second)

		time.Sleep(5 * time.Second) // two that succeed close
		for range 2 + 50 {
			if err := ask(nil); err != nil {
				t.Fatal(err)
			}
		}
		for range 50 { // half of the last
			_ = ask(errAway)
		}
		checkRefused(t, ask(nil), parley.Unavailable, 5*time.Second)
		if opened != 3 {
			t.Errorf("opened %d times, want 3", opened)
		}
	})
}

// Below Least, and when failures are far between, it stays closed.
func TestGuardOfFewFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Guard[error, string](NewBreaker(BreakerConfig{Op: "test"})).AndThen(told)
		for n := range 100 {
			if _, err := s(t.Context(), errAway); !errors.Is(err, errAway) {
				t.Fatalf("request %d: got %v", n, err)
			}
			time.Sleep(time.Second)
		}
	})
}

// Probes are few at a time, and their number survives callers who hang up.
func TestGuardCountsProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Guard[error, string](NewBreaker(BreakerConfig{Op: "test", Least: 2})).AndThen(told)
		stale, cancelStale := context.WithCancel(t.Context())
		defer cancelStale()
		go func() { _, _ = s(stale, errLate) }() // let through while it was closed
		synctest.Wait()
		for range 2 {
			_, _ = s(t.Context(), errAway)
		}
		for round := range 3 {
			time.Sleep(5 * time.Second)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { _, _ = s(ctx, errWait) }()
			synctest.Wait()
			_, err := s(t.Context(), nil)
			checkRefused(t, err, parley.Unavailable, 5*time.Second) // one probe is under way
			if round == 1 {
				cancelStale() // its end says nothing of now
				synctest.Wait()
				_, err := s(t.Context(), nil)
				checkRefused(t, err, parley.Unavailable, 5*time.Second)
			}
			cancel()
			synctest.Wait()
			_, err = s(t.Context(), nil)
			checkRefused(t, err, parley.Unavailable, 5*time.Second) // it proved nothing
		}
		time.Sleep(5 * time.Second)
		for range 5 {
			if _, err := s(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Who hangs up says nothing of the peer; a deadline and a panic do.
func TestGuardJudges(t *testing.T) {
	for _, tc := range []struct {
		name string
		ask  func(s Service[error, string]) error
		open bool
	}{
		{"hung up", func(s Service[error, string]) error {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(ms, cancel)
			_, err := s(ctx, errWait)
			return err
		}, false},
		{"deadline", func(s Service[error, string]) error {
			ctx, cancel := context.WithTimeout(context.Background(), ms)
			defer cancel()
			_, err := s(ctx, errWait)
			return err
		}, true},
		{"panic", func(s Service[error, string]) error {
			_, err := Recover[error, string](RecoverConfig{}).AndThen(s)(context.Background(), fmt.Errorf("panic"))
			return err
		}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := NewBreaker(BreakerConfig{Op: "test", Least: 3})
				s := Guard[error, string](b).AndThen(func(ctx context.Context, err error) (string, error) {
					if err != nil && err.Error() == "panic" {
						panic("broken")
					}
					return told(ctx, err)
				})
				for range 10 {
					_ = tc.ask(s)
				}
				if _, err := s(t.Context(), nil); (err != nil) != tc.open {
					t.Errorf("got %v, want a refusal: %t", err, tc.open)
				}
			})
		})
	}
}
