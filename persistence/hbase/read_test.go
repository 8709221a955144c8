package hbase

import (
	"fmt"
	"testing"

	"github.com/parley-im/parley/persistence"
)

// Known cells share one Get, each other range has its own, what is empty has none.
func TestPlan(t *testing.T) {
	exact := func(f persistence.Family, q string) persistence.Range { return persistence.Exactly(f, []byte(q)) }
	wide := func(f persistence.Family, from, to string) persistence.Range {
		return persistence.Range{Family: f, From: []byte(from), To: []byte(to), Limit: 5}
	}
	for _, tc := range []struct {
		name   string
		ranges []persistence.Range
		want   string // Gets, known cells by family, ranges with a Get of their own
	}{
		{"nothing", nil, "0 map[] []"},
		{"cells of two families", []persistence.Range{exact("l", "a"), exact("m", ""), exact("l", "b")}, "1 map[l:[a b] m:[]] []"},
		{"a cell twice", []persistence.Range{exact("l", "a"), exact("l", "a")}, "1 map[l:[a]] []"},
		{"one range", []persistence.Range{wide("l", "a", "c")}, "1 map[] [0]"},
		{"one cell, and almost one", []persistence.Range{wide("l", "a", "a\x00"), wide("l", "a", "a\x01")}, "2 map[l:[a]] [1]"},
		{"ends where it starts or before", []persistence.Range{wide("l", "b", "a"), wide("l", "a", "a")}, "0 map[] []"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPlan(tc.ranges)
			if got := fmt.Sprint(p.gets(), p.exact, p.wide); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
