package limit

import (
	"container/list"
	"sync"
	"time"

	"github.com/parley-im/parley"
)

// RatesConfig describes a set of token buckets.
type RatesConfig struct {
	Op    string        // named in refusals, such as "gateway.address"
	Every time.Duration // one token is due each Every; required
	Burst int           // tokens of a full bucket; 0 means 1
	Keys  int           // buckets kept; 0 means 65536
}

// Rates holds one bucket per key. When all its places are taken, the bucket
// unused for longest is forgotten: full again for its key, which is at worst one
// burst too many and never a refusal of a stranger.
type Rates struct {
	cfg RatesConfig

	mu      sync.Mutex
	buckets map[string]*list.Element // of *bucket; guarded by mu
	recent  *list.List               // most recently used first; guarded by mu
}

// bucket keeps the time at which it is full again (the generic cell rate
// algorithm of ITU-T I.371): one number instead of a level and its date.
type bucket struct {
	key  string
	full time.Time
}

// NewRates makes a set with no keys yet.
func NewRates(cfg RatesConfig) *Rates {
	if cfg.Burst <= 0 {
		cfg.Burst = 1
	}
	if cfg.Keys <= 0 {
		cfg.Keys = 1 << 16
	}
	if cfg.Every <= 0 {
		panic("limit: Every is required")
	}
	return &Rates{cfg: cfg, buckets: map[string]*list.Element{}, recent: list.New()}
}

// Take takes n tokens of key, or none and a refusal (RateLimited) that says when
// n will be there. More than a burst is never there: n is cut to it.
func (r *Rates) Take(key string, n int, now time.Time) error {
	n = min(max(n, 0), r.cfg.Burst)
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.bucket(key, now)
	whole := time.Duration(r.cfg.Burst) * r.cfg.Every
	// No emptier than empty, also when a clock was set back.
	owed := min(max(b.full.Sub(now), 0), whole) + time.Duration(n)*r.cfg.Every
	if late := owed - whole; late > 0 {
		return Refuse(parley.RateLimited, r.cfg.Op, late)
	}
	b.full = now.Add(owed)
	return nil
}

// Len is the number of buckets held.
func (r *Rates) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.recent.Len()
}

// bucket finds or makes the bucket of key; mu is held.
func (r *Rates) bucket(key string, now time.Time) *bucket {
	if e, ok := r.buckets[key]; ok {
		r.recent.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if r.recent.Len() >= r.cfg.Keys {
		oldest := r.recent.Back()
		delete(r.buckets, r.recent.Remove(oldest).(*bucket).key)
	}
	b := &bucket{key: key, full: now}
	r.buckets[key] = r.recent.PushFront(b)
	return b
}
