package service

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
)

// sleeper works for d, or as long as it may.
func sleeper(ctx context.Context, d time.Duration) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-time.After(d):
		return "done", nil
	}
}

func TestTimeout(t *testing.T) {
	for _, tc := range []struct {
		name   string
		caller time.Duration // of the caller's deadline
		work   time.Duration
		want   time.Duration // that the call takes
		err    bool
	}{
		{"in time", time.Hour, 5 * time.Second, 5 * time.Second, false},
		{"too long", time.Hour, time.Minute, 10 * time.Second, true},
		{"the caller has less time", 3 * time.Second, time.Minute, 3 * time.Second, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tc.caller)
				defer cancel()
				s := Timeout[time.Duration, string]("test", 10*time.Second).AndThen(sleeper)
				start := time.Now()
				_, err := s(ctx, tc.work)
				if got := time.Since(start); got != tc.want {
					t.Errorf("took %v, want %v", got, tc.want)
				}
				if (err != nil) != tc.err || err != nil && parley.CodeOf(err) != parley.Unavailable {
					t.Errorf("got %v, want an Unavailable: %t", err, tc.err)
				}
				if ours := errors.Is(err, errTimeout); ours != (tc.want == 10*time.Second) {
					t.Errorf("blames this service: %t (%v)", ours, err)
				}
			})
		})
	}
}

func TestTimeoutLeavesOtherOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		filter := Timeout[string, string]("test", time.Second)
		late := Service[string, string](func(_ context.Context, r string) (string, error) {
			time.Sleep(time.Minute)
			return r, nil
		})
		if reply, err := filter.AndThen(late)(t.Context(), "durable"); reply != "durable" || err != nil {
			t.Errorf("a late answer: got %q, %v", reply, err)
		}
		own := Service[string, string](func(context.Context, string) (string, error) {
			time.Sleep(time.Minute)
			return "", parley.E(parley.Stale, "x", "")
		})
		if _, err := filter.AndThen(own)(t.Context(), ""); parley.CodeOf(err) != parley.Stale {
			t.Errorf("a late refusal: got %v, want Stale", err)
		}
	})
}

func TestTimeoutRefusesWhatIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := Timeout[string, string]("test", time.Second).AndThen(func(context.Context, string) (string, error) {
		t.Error("the service was asked")
		return "", nil
	})
	if _, err := s(ctx, ""); parley.CodeOf(err) != parley.Unavailable || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want an Unavailable for the cancellation", err)
	}
}
