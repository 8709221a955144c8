package system

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/cmd/parley/config"
)

// calls is blobs that note when they are tended.
type calls struct {
	mu      sync.Mutex // guards all below
	last    time.Time
	swept   []time.Time
	compact int
	failed  int
	fail    error // of sweeps
	broken  error // of compactions
}

func (c *calls) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed++
}

func (c *calls) LastSweep() (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last, nil
}

func (c *calls) Sweep(_ context.Context, cfg blob.SweepConfig) (blob.Swept, error) {
	for range cfg.Names {
		break
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.swept = append(c.swept, time.Now())
	if c.fail == nil || errors.Is(c.fail, blob.ErrTooMany) { // that is noted, too
		c.last = time.Now()
	}
	return blob.Swept{}, c.fail
}

func (c *calls) Compact(context.Context, blob.CompactConfig) (blob.Compacted, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.compact++
	return blob.Compacted{}, c.broken
}

func noNames(context.Context, actors.NamesConfig) iter.Seq2[parley.Digest, error] {
	return func(func(parley.Digest, error) bool) {}
}

func newTender(c *calls, log *bytes.Buffer) *tender {
	return &tender{blobs: c, names: noNames, set: config.Default().Blobs, now: time.Now,
		log: slog.New(slog.NewTextHandler(log, nil)), failures: c}
}

// Once a day with a little chance, in the rhythm of before the start, also where a
// sweep asks for somebody to look.
func TestTend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c, log := &calls{last: start.Add(-20 * time.Hour)}, new(bytes.Buffer)
		tend := newTender(c, log)
		ctx, cancel := context.WithTimeout(t.Context(), 10*24*time.Hour)
		defer cancel()
		go tend.run(ctx)
		time.Sleep(7 * time.Hour)
		synctest.Wait()
		c.mu.Lock()
		if len(c.swept) != 1 || c.swept[0].Before(start.Add(4*time.Hour)) {
			t.Errorf("swept at %v, want once, after 4 hours", c.swept)
		}
		c.mu.Unlock()
		time.Sleep(3 * 24 * time.Hour)
		synctest.Wait()
		c.mu.Lock()
		if n := len(c.swept); n < 3 || n > 4 || c.compact != n {
			t.Errorf("swept %d times, compacted %d times in three more days", n, c.compact)
		}
		before := len(c.swept)
		c.fail = blob.ErrTooMany
		c.mu.Unlock()
		time.Sleep(2 * 24 * time.Hour)
		synctest.Wait()
		c.mu.Lock()
		if n := len(c.swept) - before; n < 1 || n > 2 {
			t.Errorf("tried %d times in two days that failed", n)
		}
		if c.failed == 0 || !strings.Contains(log.String(), "--force") {
			t.Errorf("nobody heard of the failures: %s", log)
		}
		c.mu.Unlock()
		<-ctx.Done()
	})
}

// What failed is done again, alone, and less and less often.
func TestTendAgain(t *testing.T) {
	broken := errors.New("broken")
	for _, tc := range []struct {
		name           string
		fail, broken   error
		sweeps, rounds int // in 15 hours and a bit: after 0, 1, 3, 7, 15
	}{
		{"a sweep", broken, nil, 5, 5},
		{"a compaction", nil, broken, 1, 5},
		{"a sweep that is done, and a compaction", blob.ErrTooMany, broken, 1, 5},
		{"nothing", nil, nil, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &calls{last: time.Now().Add(-100 * time.Hour), fail: tc.fail, broken: tc.broken}
				tend := newTender(c, new(bytes.Buffer))
				tend.set.Sweep = config.Duration(24 * time.Hour)
				ctx, cancel := context.WithCancel(t.Context())
				go tend.run(ctx)
				time.Sleep(tendStart + 24*time.Hour/tendLag)
				synctest.Wait()
				c.mu.Lock()
				first := c.swept[0]
				c.mu.Unlock()
				time.Sleep(time.Until(first.Add(15*time.Hour + time.Minute)))
				synctest.Wait()
				c.mu.Lock()
				if len(c.swept) != tc.sweeps || c.compact != tc.rounds {
					t.Errorf("swept %d times, compacted %d times, want %d, %d", len(c.swept), c.compact, tc.sweeps, tc.rounds)
				}
				c.mu.Unlock()
				cancel()
				synctest.Wait()
			})
		})
	}
}

func TestTendBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &calls{fail: errors.New("broken")}
		tend := newTender(c, new(bytes.Buffer))
		if wait := tend.until(tendStart); wait < tendStart || wait > tendStart+3*time.Hour {
			t.Errorf("the first sweep of all is %v away", wait)
		}
		c.last = time.Now().Add(-100 * time.Hour)
		if wait := tend.until(tendStart); wait < tendStart || wait > tendStart+3*time.Hour {
			t.Errorf("a late sweep is %v away", wait)
		}
	})
}
