package limit

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestTake(t *testing.T) {
	r := NewRates(RatesConfig{Op: "test", Every: time.Second, Burst: 3})
	for _, step := range []struct {
		at   time.Duration
		key  string
		n    int
		want time.Duration // of the refusal; 0 admits
	}{
		{0, "a", 1, 0},
		{0, "a", 2, 0},
		{0, "a", 1, time.Second},
		{0, "b", 3, 0}, // keys do not share
		{time.Second / 2, "a", 1, time.Second / 2},
		{time.Second, "a", 1, 0},
		{time.Second, "a", 3, 3 * time.Second},
		{time.Hour, "a", 3, 0}, // never above a full bucket
		{time.Hour, "a", 1, time.Second},
		{2 * time.Hour, "a", 99, 0}, // cut to the burst
		{2 * time.Hour, "a", 0, 0},
		{time.Hour, "a", 1, time.Second}, // a clock set back owes no more than a whole bucket
	} {
		err := r.Take(step.key, step.n, start.Add(step.at))
		var got time.Duration
		if e := (*Error)(nil); errors.As(err, &e) {
			got = e.RetryAfter()
		}
		if got != step.want || (err != nil) != (step.want > 0) {
			t.Errorf("at %v: Take(%s, %d) = %v after %v, want %v", step.at, step.key, step.n, err, got, step.want)
		}
		if err != nil && parley.CodeOf(err) != parley.RateLimited {
			t.Errorf("at %v: code %d, want RateLimited", step.at, parley.CodeOf(err))
		}
	}
}

func TestKeysAreBounded(t *testing.T) {
	r := NewRates(RatesConfig{Every: time.Second, Keys: 3})
	for i := range 100 {
		if err := r.Take(fmt.Sprint(i), 1, start); err != nil {
			t.Fatalf("a stranger is refused: %v", err)
		}
		_ = r.Take("busy", 1, start)
	}
	if got := r.Len(); got != 3 {
		t.Errorf("holds %d buckets, want 3", got)
	}
	if err := r.Take("busy", 1, start); err == nil {
		t.Error("the bucket in use was forgotten")
	}
}

// Over any stretch of time no key gets more than a burst and what fell due, and
// who waits as told is admitted.
func TestRateHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		burst := rapid.IntRange(1, 5).Draw(rt, "burst")
		r := NewRates(RatesConfig{Every: time.Second, Burst: burst})
		now, taken := start, 0
		for range rapid.IntRange(1, 50).Draw(rt, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(rt, "ms")) * time.Millisecond)
			n := rapid.IntRange(1, burst).Draw(rt, "n")
			err := r.Take("k", n, now)
			if e := (*Error)(nil); errors.As(err, &e) {
				now = now.Add(e.RetryAfter())
				err = r.Take("k", n, now)
			}
			if err != nil {
				rt.Fatalf("refused after the wait: %v", err)
			}
			taken += n
			if most := burst + int(now.Sub(start)/time.Second); taken > most {
				rt.Fatalf("%d tokens in %v, want at most %d", taken, now.Sub(start), most)
			}
		}
	})
}

func BenchmarkTake(b *testing.B) {
	r := NewRates(RatesConfig{Every: time.Nanosecond, Burst: 1 << 30})
	b.ReportAllocs()
	for b.Loop() {
		_ = r.Take("k", 1, start)
	}
}
