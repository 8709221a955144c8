package actors

import "time"

// backoff leaves alone what failed, longer after each failure. It is not stored:
// an activation begins anew.
type backoff[K comparable] struct {
	pause, most time.Duration // the one doubles with each failure, the first included
	fails       map[K]int
	until       map[K]time.Time
}

func newBackoff[K comparable](pause, most time.Duration) backoff[K] {
	return backoff[K]{pause, most, map[K]int{}, map[K]time.Time{}}
}

// doublings keep the pause in what a Duration holds; the longest one comes before.
const doublings = 10

// failed notes a failure.
func (b backoff[K]) failed(k K, now time.Time) {
	b.fails[k]++
	b.hold(k, now.Add(doubled(b.pause, b.fails[k], b.most)))
}

// doubled is the pause after so many failures in a row.
func doubled(pause time.Duration, fails int, most time.Duration) time.Duration {
	return min(pause<<min(fails, doublings), most)
}

// hold leaves something alone until a time, for whatever reason.
func (b backoff[K]) hold(k K, until time.Time) { b.until[k] = until }

// free ends the pause, but forgets no failure.
func (b backoff[K]) free(k K) { delete(b.until, k) }

// over forgets all.
func (b backoff[K]) over(k K) {
	delete(b.fails, k)
	delete(b.until, k)
}

// failing reports whether the last attempt failed.
func (b backoff[K]) failing(k K) bool { return b.fails[k] > 0 }

// notBefore is the end of the pause, zero without one.
func (b backoff[K]) notBefore(k K) time.Time { return b.until[k] }
