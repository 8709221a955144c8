package bench

import (
	"sync/atomic"
	"time"
)

// clock is time that passes with work alone, a little at each look: a busy machine
// must not make rows look quiet, since a quiet row is flushed at once.
type clock struct{ looks, passed atomic.Int64 }

const lookTakes = 10 * time.Microsecond

func (c *clock) now() time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(c.looks.Add(1))*lookTakes + time.Duration(c.passed.Load()))
}

// pass lets time go by.
func (c *clock) pass(d time.Duration) { c.passed.Add(int64(d)) }
