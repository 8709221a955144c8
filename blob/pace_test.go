package blob

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace, start := PaceAt(1<<20), time.Now()
		for range 1000 {
			if err := pace(t.Context(), 10<<10); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took < 9*time.Second || took > 10*time.Second {
			t.Errorf("10 MB at 1 MiB a second took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := pace(ctx, 1<<30); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a pace that was given up: %v", err)
		}
		start = time.Now()
		if err := PaceAt(0)(t.Context(), 1<<40); err != nil || time.Since(start) > 0 {
			t.Errorf("without a rate: %v after %v", err, time.Since(start))
		}
	})
}
