package directory

import (
	"context"
	"errors"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

func fault(code parley.Code, op, field, public string) error {
	return &parley.Error{Code: code, Op: op, Field: field, Public: public}
}

func notFound(op string) error { return parley.E(parley.NotFound, op, "no such account") }

// stored classifies what a store answers. A failed check stays visible to retry.
func stored(op string, err error) error {
	switch {
	case err == nil, errors.Is(err, persistence.ErrCheckFailed):
		return err
	case errors.Is(err, persistence.ErrNoSpace):
		return parley.Wrap(parley.DiskFull, op, err)
	default:
		return parley.Wrap(parley.Unavailable, op, err)
	}
}

// attempts bounds how often a change is decided again because others changed
// the row in between.
const attempts = 12

// retry decides and commits until nobody came in between. try returns
// ErrCheckFailed when somebody did.
func retry(ctx context.Context, op string, try func() error) error {
	for n := range attempts {
		if err := try(); !errors.Is(err, persistence.ErrCheckFailed) {
			return err
		}
		if err := pause(ctx, n); err != nil {
			return parley.Wrap(parley.Unavailable, op, err)
		}
	}
	return &parley.Error{Code: parley.Unavailable, Op: op, Public: "too many changes at once", Err: persistence.ErrCheckFailed}
}

// pause lets the others finish: longer each time, the first time not at all.
func pause(ctx context.Context, n int) error {
	if n == 0 {
		return ctx.Err()
	}
	t := time.NewTimer(time.Duration(n) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
