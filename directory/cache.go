package directory

import (
	"container/list"
	"fmt"
	"hash/maphash"
	"sync"
	"time"
)

// How long an answer is used. Revocation elsewhere must show within five
// seconds, the read included, so an answer ages from before it was read.
const (
	knownLife   = 4 * time.Second
	unknownLife = time.Second
)

// cache holds the answers of the last seconds, known and unknown apart, so
// that made-up keys never push a known one out.
type cache[K comparable, V any] struct {
	now  func() time.Time
	seed maphash.Seed

	mu      sync.Mutex
	known   lru[K, V]  // under mu
	unknown lru[K, V]  // under mu
	drops   [64]uint64 // under mu; counts drop by the hash of the key
}

// ticket remembers when a read began: what was dropped since is not held.
type ticket[K comparable] struct {
	key   K
	at    time.Time
	drops uint64
}

func newCache[K comparable, V any](size int, now func() time.Time) *cache[K, V] {
	return &cache[K, V]{now: now, seed: maphash.MakeSeed(), known: newLRU[K, V](size), unknown: newLRU[K, V](size)}
}

// get returns what is held. The ticket is for put, when nothing is.
func (c *cache[K, V]) get(key K) (v V, known, held bool, t ticket[K]) {
	t = ticket[K]{key: key, at: c.now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.drops = *c.counter(key)
	if v, ok := c.known.get(key, t.at); ok {
		return v, true, true, t
	}
	v, held = c.unknown.get(key, t.at)
	return v, false, held, t
}

// put holds what was read under a ticket.
func (c *cache[K, V]) put(t ticket[K], v V, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *c.counter(t.key) != t.drops {
		return
	}
	c.known.remove(t.key)
	c.unknown.remove(t.key)
	if known {
		c.known.add(t.key, v, t.at.Add(knownLife))
	} else {
		c.unknown.add(t.key, v, t.at.Add(unknownLife))
	}
}

// drop forgets a key after a write to it, and what reads under way will bring.
func (c *cache[K, V]) drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.counter(key)++
	c.known.remove(key)
	c.unknown.remove(key)
}

// counter is called under mu.
func (c *cache[K, V]) counter(key K) *uint64 {
	return &c.drops[maphash.Comparable(c.seed, key)%uint64(len(c.drops))]
}

// lru is bounded; the least recently used goes first.
type lru[K comparable, V any] struct {
	size  int
	order *list.List // of *entry, the last used in front
	at    map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
	until time.Time
}

func newLRU[K comparable, V any](size int) lru[K, V] {
	if size <= 0 {
		panic(fmt.Sprintf("directory: a cache of %d entries", size))
	}
	return lru[K, V]{size: size, order: list.New(), at: map[K]*list.Element{}}
}

func (l *lru[K, V]) get(key K, now time.Time) (v V, ok bool) {
	el, ok := l.at[key]
	if !ok {
		return v, false
	}
	e := el.Value.(*entry[K, V])
	if !now.Before(e.until) {
		l.remove(key)
		return v, false
	}
	l.order.MoveToFront(el)
	return e.value, true
}

func (l *lru[K, V]) add(key K, v V, until time.Time) {
	l.at[key] = l.order.PushFront(&entry[K, V]{key, v, until})
	if l.order.Len() > l.size {
		l.remove(l.order.Back().Value.(*entry[K, V]).key)
	}
}

func (l *lru[K, V]) remove(key K) {
	if el, ok := l.at[key]; ok {
		l.order.Remove(el)
		delete(l.at, key)
	}
}
