package reminder

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// bucket is a row of reminders, and the state machine that calls them.
type bucket struct {
	*State
	now  time.Time
	rows [][]byte // sorted
}

func entry(due time.Time, id string) []byte { return Key(due, "mailbox", id, 1, nil) }

func (b *bucket) put(key []byte) {
	b.rows = append(b.rows, key)
	slices.SortFunc(b.rows, bytes.Compare)
}

func (b *bucket) erase(key []byte) {
	b.rows = slices.DeleteFunc(b.rows, func(k []byte) bool { return bytes.Equal(k, key) })
}

// tick reads what the horizon lets see and names whom it calls.
func (b *bucket) tick(t interface{ Fatal(...any) }) (called []string) {
	var entries []Entry
	to := b.Horizon(b.now)
	for _, key := range b.rows {
		if to == nil || bytes.Compare(key, to) < 0 {
			e, err := Parse(key)
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, e)
		}
	}
	for _, e := range b.Tick(entries, b.now) {
		called = append(called, e.ID)
	}
	return called
}

// The first tick calls everyone, due or not: whoever put an entry may be gone.
// Later ones call what is due.
func TestFirstTick(t *testing.T) {
	b := &bucket{State: New(), now: noon}
	b.put(entry(noon.Add(time.Hour), "later"))
	b.put(entry(noon.Add(-time.Hour), "late"))
	b.put(entry(noon, "now"))
	for _, tc := range []struct {
		after time.Duration
		want  string
	}{{0, "[late now later]"}, {2 * time.Second, "[]"}, {3 * time.Second, "[late now]"}, {time.Hour - 5*time.Second, "[late now later]"}} {
		b.now = b.now.Add(tc.after)
		if got := fmt.Sprint(b.tick(t)); got != tc.want {
			t.Errorf("at %s: got %s, want %s", b.now.Format("15:04:05"), got, tc.want)
		}
	}
}

// Who does not answer is called less and less often, but always again.
func TestBackOff(t *testing.T) {
	b := &bucket{State: New(), now: noon}
	b.put(entry(noon, "gone"))
	var pauses []time.Duration
	last := noon
	for ; b.now.Before(noon.Add(time.Hour)); b.now = b.now.Add(time.Second) {
		if len(b.tick(t)) > 0 {
			pauses, last = append(pauses, b.now.Sub(last)), b.now
		}
	}
	want := "[0s 5s 10s 20s 40s 1m20s 2m40s 5m0s 5m0s 5m0s 5m0s 5m0s 5m0s 5m0s 5m0s 5m0s 5m0s]"
	if got := fmt.Sprint(pauses); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	b.erase(entry(noon, "gone"))
	b.tick(t)
	if len(b.next) != 0 {
		t.Errorf("%d that are gone are remembered", len(b.next))
	}
}

// TestNothingForgotten plays a bucket with owners that come, answer, and put
// their next entry, and some that never do: each entry is called once due, and
// from then on at least every five minutes and a tick until it is erased.
func TestNothingForgotten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := &bucket{State: New(), now: noon}
		called := map[string]time.Time{}
		for n := range rapid.IntRange(1, 400).Draw(rt, "ticks") {
			if rapid.IntRange(0, 3).Draw(rt, "put") == 0 {
				due := b.now.Add(time.Duration(rapid.IntRange(-60, 600).Draw(rt, "due")) * time.Second)
				b.put(entry(due, fmt.Sprint(n)))
			}
			if rapid.IntRange(0, 60).Draw(rt, "moved") == 0 {
				b.State = New() // the bucket is activated elsewhere
			}
			got := b.tick(rt)
			for _, id := range got {
				called[id] = b.now
			}
			if len(set(got)) != len(got) {
				rt.Fatalf("called twice in one tick: %v", got)
			}
			if len(b.next) > len(b.rows) {
				rt.Fatalf("%d are remembered of %d", len(b.next), len(b.rows))
			}
			b.settle(rt, called)
			b.now = b.now.Add(2 * time.Second)
		}
	})
}

// settle checks every standing entry, and lets some owners that were called erase theirs.
func (b *bucket) settle(t *rapid.T, called map[string]time.Time) {
	for _, key := range slices.Clone(b.rows) {
		e, _ := Parse(key)
		at, was := called[e.ID]
		switch {
		case !was && !b.now.Before(e.Due):
			t.Fatalf("%s is due since %s and was never called", e.ID, e.Due)
		case was && !b.now.Before(e.Due) && b.now.Sub(at) > maxPause+2*time.Second:
			t.Fatalf("%s was last called %s ago", e.ID, b.now.Sub(at))
		case was && at.Equal(b.now) && rapid.Bool().Draw(t, "answers"):
			b.erase(key)
		}
	}
}

func set(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
