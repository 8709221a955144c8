package system

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/cmd/parley/config"
)

// tended is what a tender needs of the blobs.
type tended interface {
	LastSweep() (time.Time, error)
	Sweep(ctx context.Context, cfg blob.SweepConfig) (blob.Swept, error)
	Compact(ctx context.Context, cfg blob.CompactConfig) (blob.Compacted, error)
}

var _ tended = (*blob.Volumes)(nil)

// tender sweeps and compacts the blobs when it is time.
type tender struct {
	blobs    tended
	names    func(context.Context, actors.NamesConfig) iter.Seq2[parley.Digest, error]
	set      config.Blobs
	now      func() time.Time
	log      *slog.Logger
	failures interface{ Inc() }
}

const (
	tendStart = 10 * time.Minute // after a start, which has other things to do
	tendRetry = time.Hour        // after a failure; twice as long after the next
	tendLag   = 10               // parts of the period, of which up to one is added by chance
)

func (s *System) tender(cfg Config) *tender {
	failures := prometheus.NewCounter(prometheus.CounterOpts{Namespace: "parley", Subsystem: "blob", Name: "tend_failures_total",
		Help: "Sweeps and compactions of the blobs that failed, or ask for somebody to look."})
	if cfg.Metrics != nil {
		cfg.Metrics.MustRegister(failures)
	}
	return &tender{blobs: s.Blobs, names: s.Node.BlobNames, set: cfg.Settings.Blobs, now: s.Now, log: s.Log, failures: failures}
}

// todo is what is left to do of a round.
type todo uint8

const (
	nothing todo = iota
	compact
	all // sweep, and compact whatever came of that
)

// run ends with ctx. What failed is done again after a while, longer each time; a
// sweep that is done is not: it reads every row.
func (t *tender) run(ctx context.Context) error {
	left, wait, pause := all, t.until(tendStart), tendRetry
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		var err error
		if left, err = t.tend(ctx, left); err != nil && ctx.Err() == nil {
			t.failures.Inc()
			t.log.Error("blobs not swept or not compacted", "error", err)
		}
		if left == nothing {
			left, wait, pause = all, t.until(0), tendRetry
		} else {
			wait, pause = pause, max(tendRetry, min(2*pause, time.Duration(t.set.Sweep)))
		}
	}
}

// until is how long the next sweep is away, at least a time. A server that is
// started again goes on in the same rhythm.
func (t *tender) until(least time.Duration) time.Duration {
	every := time.Duration(t.set.Sweep)
	last, err := t.blobs.LastSweep()
	if err != nil {
		t.log.Warn("time of the last sweep not known", "error", err)
	}
	wait := least
	if !last.IsZero() {
		wait = max(least, last.Add(every).Sub(t.now()))
	}
	return wait + rand.N(every/tendLag)
}

// tend does what is left of a round, and says what is left then. A sweep that asks
// for somebody to look is done for this time.
func (t *tender) tend(ctx context.Context, what todo) (left todo, _ error) {
	pace := blob.PaceAt(int64(t.set.Rate))
	var swept error
	if what == all {
		swept = t.sweep(ctx, pace)
	}
	compacted := t.compact(ctx, pace)
	switch {
	case swept != nil && !errors.Is(swept, blob.ErrTooMany):
		left = all
	case compacted != nil:
		left = compact
	}
	return left, errors.Join(swept, compacted)
}

func (t *tender) sweep(ctx context.Context, pace func(context.Context, int64) error) error {
	swept, err := t.blobs.Sweep(ctx, blob.SweepConfig{Names: t.names(ctx, actors.NamesConfig{Pace: pace})})
	if errors.Is(err, blob.ErrTooMany) {
		err = fmt.Errorf("%w; if that is right, run parley blob sweep --force", err)
	}
	if err == nil {
		t.log.Info("blobs swept", "blobs", swept.Blobs, "ended", swept.Ended, "waiting", swept.Waiting, "missing", swept.MissingCount)
	}
	if swept.MissingCount > 0 {
		t.log.Error("blobs are missing; parley blob check --names lists them", "missing", swept.MissingCount)
	}
	return err
}

func (t *tender) compact(ctx context.Context, pace func(context.Context, int64) error) error {
	done, err := t.blobs.Compact(ctx, blob.CompactConfig{DeadShare: float64(t.set.DeadPercent) / 100, Pace: pace})
	if done.Volumes > 0 {
		t.log.Info("blobs compacted", "volumes", done.Volumes, "copied", done.Copied, "freed", done.Freed)
	}
	if done.Kept > 0 {
		t.log.Error("damaged volumes are kept; parley blob check says what is wrong", "volumes", done.Kept)
	}
	return err
}
