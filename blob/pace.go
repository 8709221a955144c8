package blob

import (
	"context"
	"sync"
	"time"
)

// paceStep is what a pace lets through before it waits: timers are too coarse for
// every small read.
const paceStep = 256 << 10

// PaceAt allows so many bytes per second; 0 and less allow any. It is safe for
// concurrent use, and those who share it share the rate.
func PaceAt(rate int64) func(ctx context.Context, bytes int64) error {
	var mu sync.Mutex
	var owed int64 // under mu
	return func(ctx context.Context, bytes int64) error {
		mu.Lock()
		owed += bytes
		now := owed
		if now >= paceStep {
			owed = 0
		}
		mu.Unlock()
		if rate <= 0 || now < paceStep {
			return ctx.Err()
		}
		t := time.NewTimer(time.Duration(float64(now) / float64(rate) * float64(time.Second)))
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
