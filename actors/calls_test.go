package actors

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cluster"
)

var errGrain = parley.E(parley.Unavailable, "test", "not now")

// A grain that cannot answer is asked again a few times, then left alone: its
// callers hear so at once and when to come back. Others are asked as before.
func TestCallsLeaveAnIllGrainAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := map[string]int{}
		out := calls(newMeter(nil), register{}, func(_ context.Context, c call) (any, error) {
			asked[c.id]++
			if c.id == "ill" {
				return nil, errGrain
			}
			return "answer", nil
		})
		for range 10 {
			if _, err := out(t.Context(), call{kind: KindMailbox, id: "ill"}); parley.CodeOf(err) != parley.Unavailable {
				t.Fatalf("got %v", err)
			}
		}
		start := time.Now()
		before := asked["ill"]
		_, err := out(t.Context(), call{kind: KindMailbox, id: "ill"})
		var refusal interface{ RetryAfter() time.Duration }
		if !errors.As(err, &refusal) || refusal.RetryAfter() <= 0 {
			t.Errorf("got %v, want a refusal that says when to come back", err)
		}
		if got := asked["ill"] - before; got > 1 {
			t.Errorf("asked %d times while it is left alone, want 1 at most", got)
		}
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("the refusal took %v", took)
		}
		for range 100 {
			if _, err := out(t.Context(), call{kind: KindMailbox, id: "well"}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// When every grain fails, callers ask for a share more than they were asked, and
// not twelve times as much.
func TestCallsKeepToABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		m := newMeter(nil)
		out := calls(m, register{}, func(context.Context, call) (any, error) { asked++; return nil, errGrain })
		const n = 10_000
		for i := range n {
			_, _ = out(t.Context(), call{kind: KindMailbox, id: strconv.Itoa(i)})
		}
		if most := n + n/5 + callBurst; asked > most {
			t.Errorf("asked %d times for %d calls, want %d at most", asked, n, most)
		}
		if got := int(counted(m.repeats)); got != asked-n {
			t.Errorf("%d repeats were counted, want %d", got, asked-n)
		}
	})
}

// An activation that ends while calls wait is followed by one that answers them.
func TestCallsRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		out := calls(newMeter(nil), register{}, func(ctx context.Context, _ call) (any, error) {
			if _, ok := ctx.Deadline(); !ok {
				t.Error("a call without a deadline got none")
			}
			if asked++; asked < 4 {
				return nil, errGrain
			}
			return "answer", nil
		})
		if got, err := out(t.Context(), call{}); err != nil || got != "answer" {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

// A grain with too many callers is not ill.
func TestCallsOfABusyGrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		busy := &parley.Error{Code: parley.Unavailable, Op: "test", Err: cluster.ErrBusy}
		out := calls(newMeter(nil), register{}, func(context.Context, call) (any, error) { asked.Add(1); return nil, busy })
		for range 100 {
			_, _ = out(t.Context(), call{kind: KindThread, id: "hot"})
		}
		if asked.Load() < 100 {
			t.Errorf("asked %d times for 100 calls: it was left alone", asked.Load())
		}
	})
}
