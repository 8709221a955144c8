package torture

import (
	"sync"
	"time"
)

// Clock is the time of a play, which moves it on by itself.
type Clock struct {
	mu    sync.Mutex
	now   time.Time // under mu
	flows time.Time // under mu; since when it goes on with the machine's, zero while it stands
}

// NewClock stands at a time. Deadlines of calls are by the machine's clock, and one
// ahead of it would let everything expire.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now is the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read()
}

func (c *Clock) read() time.Time {
	if c.flows.IsZero() {
		return c.now
	}
	return c.now.Add(time.Since(c.flows))
}

// Step moves it on.
func (c *Clock) Step(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Flow lets it go on with the machine's. A back-off is by the play's time: whoever
// waits for grains to come to rest, with nothing else to move it, needs that.
func (c *Clock) Flow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.flows = c.read(), time.Now()
}

// Stand stops it at a time.
func (c *Clock) Stand(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.flows = at, time.Time{}
}
