package progress_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley/internal/progress"
)

func TestLine(t *testing.T) {
	for _, tc := range []struct {
		name     string
		terminal bool
		step     time.Duration
		want     string
	}{
		{"quick work says nothing", false, time.Second, ""},
		{"a line now and then", false, 3 * time.Second, "2 of 4\n4 of 4\n"},
		{"quick work on a terminal", true, 10 * time.Millisecond, ""},
		{"a line in place", true, 150 * time.Millisecond, "\r2 of 4\r4 of 4\r      \r"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			now := time.Unix(0, 0)
			var out strings.Builder
			l := progress.New(&out, tc.terminal, func() time.Time { return now })
			for i := range 4 {
				now = now.Add(tc.step)
				l.Sayf("%d of 4", i+1)
			}
			l.End()
			if got := out.String(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestShorterTextCoversLonger(t *testing.T) {
	now := time.Unix(0, 0)
	var out strings.Builder
	l := progress.New(&out, true, func() time.Time { return now })
	for _, text := range []string{"a long text", "short"} {
		now = now.Add(time.Minute)
		l.Sayf("%s", text)
	}
	if got, want := out.String(), "\ra long text\rshort      "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
