package edge

import (
	"sync"
	"time"
)

// Hurry ends the wait for senders that have stalled, once a server drains: it waits
// for all bodies that are under way, and one that stands still would cost all of the
// time that the others have. The zero value is ready; a nil Hurry never hurries.
type Hurry struct {
	mu     sync.Mutex
	on     bool                  // under mu
	bodies map[*bounded]struct{} // under mu: that are being waited for
}

// hurryTime is how long a sender may stand still while the server drains.
const hurryTime = time.Second

// Begin gives every wait that is under way or comes a second.
func (h *Hurry) Begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on = true
	for b := range h.bodies {
		b.until(hurryTime)
	}
}

// wait sets the end of one wait: after the body's time, or within a second. A body
// that is read as a whole has its time from the begin, so that it is set once.
func (h *Hurry) wait(b *bounded, set bool) {
	if h == nil {
		if set {
			b.until(b.timeout)
		}
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.bodies == nil {
		h.bodies = map[*bounded]struct{}{}
	}
	h.bodies[b] = struct{}{}
	switch {
	case h.on:
		b.until(min(b.timeout, hurryTime))
	case set:
		b.until(b.timeout)
	}
}

// done says that nothing is waited for, and whether the server drains.
func (h *Hurry) done(b *bounded) bool {
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.bodies, b)
	return h.on
}
