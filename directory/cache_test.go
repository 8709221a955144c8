package directory

import (
	"testing"
)

func wantHeld(t *testing.T, c *cache[string, int], key string, want bool) ticket[string] {
	t.Helper()
	_, _, held, ticket := c.get(key)
	if held != want {
		t.Errorf("%s held: got %v, want %v", key, held, want)
	}
	return ticket
}

func TestCacheAges(t *testing.T) {
	now := newClock()
	c := newCache[string, int](4, now.now)
	c.put(wantHeld(t, c, "known", false), 1, true)
	c.put(wantHeld(t, c, "unknown", false), 0, false)
	now.pass(unknownLife)
	wantHeld(t, c, "known", true)
	wantHeld(t, c, "unknown", false)
	now.pass(knownLife - unknownLife)
	wantHeld(t, c, "known", false)
}

func TestCacheAgesFromTheReadsBegin(t *testing.T) {
	now := newClock()
	c := newCache[string, int](4, now.now)
	begun := wantHeld(t, c, "k", false)
	now.pass(knownLife)
	c.put(begun, 1, true)
	wantHeld(t, c, "k", false)
}

// What was read before a write must not be held after it.
func TestCacheDropsReadsUnderWay(t *testing.T) {
	c := newCache[string, int](4, newClock().now)
	begun := wantHeld(t, c, "k", false)
	c.drop("k")
	c.put(begun, 1, true)
	wantHeld(t, c, "k", false)
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache[string, int](2, newClock().now)
	for _, k := range []string{"a", "b"} {
		c.put(wantHeld(t, c, k, false), 1, true)
	}
	wantHeld(t, c, "a", true) // so b is the oldest
	for _, k := range []string{"x", "y", "z"} {
		c.put(wantHeld(t, c, k, false), 0, false)
	}
	wantHeld(t, c, "b", true) // made-up keys push nothing out
	wantHeld(t, c, "a", true)
	c.put(wantHeld(t, c, "c", false), 1, true)
	wantHeld(t, c, "b", false)
	if got := len(c.known.at) + len(c.unknown.at); got != 4 {
		t.Errorf("entries: got %d, want 4", got)
	}
}
