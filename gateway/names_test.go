package gateway

import (
	"testing"

	"github.com/parley-im/parley/gateway/edge"
)

// TestNamesStop: what a stranger sends costs no more than it may hold, however much
// of it there is and wherever its fault is. TestRefusals has what is answered.
func TestNamesStop(t *testing.T) {
	for _, c := range []struct {
		name   string
		list   []int
		looked int
	}{
		{"as many as may be", []int{1, 2, 4, 5}, 4},
		{"too many", []int{1, 2, 4, 5, 6}, 0},
		{"too few", nil, 0},
		{"one that cannot be", []int{1, 3, 3, 1}, 2},
		{"one that is there twice", []int{1, 1, 3, 3}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var texts edge.Texts
			looked := 0
			can := func(n int) bool {
				looked++
				return n != 3
			}
			names(&texts, "list", c.list, bound{1, 4, "numbers"}, can, unknownName("number"))
			if looked != c.looked {
				t.Errorf("looked at %d, want %d", looked, c.looked)
			}
		})
	}
}
