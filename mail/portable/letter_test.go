package portable

import (
	"slices"
	"testing"

	"github.com/parley-im/parley"
)

func TestStatusKeywords(t *testing.T) {
	for _, tc := range []struct {
		raw    string
		want   []parley.Keyword
		stated bool
	}{
		{"Status: RO\nSubject: x\n\nStatus: R\n", []parley.Keyword{parley.Seen}, true},
		{"status: O\r\nX-Status: AF\r\n\r\n", []parley.Keyword{parley.Flagged, parley.Answered}, true},
		{"X-Status: T\n\n", []parley.Keyword{parley.Draft}, false},
		{"Status:\n\n", nil, true},
		{"Subject: x\n\nStatus: RO\n", nil, false},
		{"", nil, false},
	} {
		if got, stated := statusKeywords([]byte(tc.raw)); !slices.Equal(got, tc.want) || stated != tc.stated {
			t.Errorf("%q: got %v, %v, want %v, %v", tc.raw, got, stated, tc.want, tc.stated)
		}
	}
}
