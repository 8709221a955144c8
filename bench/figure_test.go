package bench

import (
	"strings"
	"testing"
)

func TestFigureOutsideItsBudget(t *testing.T) {
	for _, tc := range []struct {
		f    Figure
		want bool
	}{
		{Figure{Value: 9}, true},
		{Figure{Value: 8, AtMost: 8}, true},
		{Figure{Value: 8.01, AtMost: 8}, false},
		{Figure{Value: 20, AtLeast: 20}, true},
		{Figure{Value: 19.9, AtLeast: 20}, false},
	} {
		if got := tc.f.Within(); got != tc.want {
			t.Errorf("%+v: within %t, want %t", tc.f, got, tc.want)
		}
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	err := WriteTable(&b, []Figure{
		{Group: "one", Name: "first", Measure: "operations", Value: 9, AtMost: 8},
		{Group: "one", Name: "second", Measure: "bytes", Value: 1234.5},
		{Group: "two", Name: "first", Measure: "per sync", Value: 20.25, AtLeast: 20},
	})
	want := `
one       operations            bytes
  first   9 (at most 8) MISSED
  second                        1234

two      per sync
  first  20.2 (at least 20)
`
	if got := b.String(); err != nil || got != want {
		t.Errorf("table:\n%s\nwant:\n%s\n%v", got, want, err)
	}
}
