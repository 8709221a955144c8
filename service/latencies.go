package service

import (
	"math/bits"
	"sync"
	"time"
)

const (
	windowSlices    = 6   // a window is forgotten by sixths
	durationBuckets = 512 // eight for each doubling: a quantile is at most an eighth too high
)

// latencies estimates quantiles of the durations of a moving window, in 14 KiB
// whatever their number.
type latencies struct {
	slice time.Duration // length of one

	mu     sync.Mutex
	counts [windowSlices]histogram // guarded by mu, as is all below
	total  histogram               // the sum of counts
	now    int                     // the slice that is filled
	since  time.Time               // its begin
}

type histogram struct {
	n      int
	counts [durationBuckets]uint32
}

func newLatencies(window time.Duration) *latencies {
	return &latencies{slice: max(window/windowSlices, 1)}
}

func (l *latencies) add(d time.Duration, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn(now)
	b := bucket(d)
	for _, h := range []*histogram{&l.counts[l.now], &l.total} {
		h.n++
		h.counts[b]++
	}
}

// quantile is a duration that percent of those of the window stay below, and how
// many these are.
func (l *latencies) quantile(percent int, now time.Time) (d time.Duration, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn(now)
	rank, below := (l.total.n*percent+99)/100, 0
	for b, count := range l.total.counts {
		if below += int(count); below >= rank && below > 0 {
			return ceiling(b), l.total.n
		}
	}
	return 0, 0
}

// turn forgets the slices that are older than the window; mu is held.
func (l *latencies) turn(now time.Time) {
	if gone := now.Sub(l.since); gone >= windowSlices*l.slice || gone < 0 {
		l.counts, l.total, l.since = [windowSlices]histogram{}, histogram{}, now
		return
	}
	for now.Sub(l.since) >= l.slice {
		l.since = l.since.Add(l.slice)
		l.now = (l.now + 1) % windowSlices
		old := &l.counts[l.now]
		l.total.n -= old.n
		for b, count := range old.counts {
			l.total.counts[b] -= count
		}
		*old = histogram{}
	}
}

// bucket is eight times the power of two below d, and the three bits behind the
// first.
func bucket(d time.Duration) int {
	v := uint64(max(d, 8))
	power := bits.Len64(v) - 1
	return power*8 + int(v>>(power-3)&7)
}

// ceiling is the duration above all of bucket b.
func ceiling(b int) time.Duration {
	return time.Duration(uint64(b%8+9) << (b/8 - 3))
}
