package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// line writes an event as go test does.
func line(action, pkg, test, output string) string {
	s := `{"Action":"` + action + `"`
	for _, field := range [][2]string{{"Package", pkg}, {"Test", test}, {"Output", output}} {
		if field[1] != "" {
			s += `,"` + field[0] + `":"` + field[1] + `"`
		}
	}
	return s + "}\n"
}

func TestReport(t *testing.T) {
	start := line("start", "a", "", "")
	passes := start + line("run", "a", "T1", "") + line("output", "a", "T1", `quiet\n`) + line("pass", "a", "T1", "") +
		line("pass", "a", "T1/sub", "") + line("pass", "a", "", "")
	for _, tc := range []struct {
		name, in string
		min      int
		closing  string
		shown    string // in the output or the verdict
		bad      bool
	}{
		{"passes", passes, 2, "2 passed, 0 failed, 0 skipped", "ok   a 2", false},
		{"a test that is told", start + line("output", "a", "Told", `5 plays\n`) + line("pass", "a", "Told", "") + line("pass", "a", "", ""), 1,
			"1 passed, 0 failed, 0 skipped", "5 plays", false},
		{"the same package again", passes + start + line("pass", "a", "T1", "") + line("pass", "a", "", ""), 3, "3 passed, 0 failed, 0 skipped", "ok   a 1", false},
		{"too few", passes, 3, "2 passed, 0 failed, 0 skipped", "fewer than the 3", true},
		{"nothing ran", "", 0, "0 passed, 0 failed, 0 skipped", "fewer", true},
		{"no test files", passes + line("skip", "b", "", ""), 2, "2 passed, 0 failed, 0 skipped", "none b", false},
		{"a test fails", start + line("output", "a", "T1", `got 1, want 2\n`) + line("fail", "a", "T1", "") + line("fail", "a", "", ""), 0,
			"0 passed, 1 failed, 0 skipped", "got 1, want 2", true},
		{"a test is skipped", passes + start + line("output", "a", "T2", `    a_test.go:3: no server\n`) +
			line("output", "a", "T2", `--- SKIP: T2\n`) + line("skip", "a", "T2", "") + line("pass", "a", "", ""), 0,
			"2 passed, 0 failed, 1 skipped", "skipped: a T2: a_test.go:3: no server", true},
		{"does not build", `{"Action":"build-output","ImportPath":"a","Output":"a.go:1: syntax\n"}` + "\n" + start +
			line("output", "a", "", `FAIL a [build failed]\n`) + line("fail", "a", "", ""), 0,
			"0 passed, 1 failed, 0 skipped", "a.go:1: syntax", true},
		{"dies in a test", start + line("run", "a", "T1", "") + line("output", "a", "T1", `at work\n`) +
			line("output", "a", "", `panic: timed out\n`) + line("fail", "a", "", ""), 0,
			"0 passed, 1 failed, 0 skipped", "unfinished T1\nat work", true},
		{"the stream is cut", start + line("pass", "a", "T1", ""), 0, "1 passed, 0 failed, 0 skipped", "a never ended", true},
		{"not an event", "go: no such module\n" + passes, 0, "2 passed, 0 failed, 0 skipped", "go: no such module", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			counts := filepath.Join(t.TempDir(), "counts")
			err := run(strings.NewReader(tc.in), &out, tc.min, counts, "Told")
			if err != nil {
				out.WriteString(err.Error())
			}
			if (err != nil) != tc.bad {
				t.Errorf("verdict %v, want an error: %t", err, tc.bad)
			}
			if !strings.Contains(out.String(), tc.shown) {
				t.Errorf("shows %q, want %q in it", out.String(), tc.shown)
			}
			if strings.Contains(out.String(), "quiet") {
				t.Errorf("shows what a passed test said: %q", out.String())
			}
			got, _ := os.ReadFile(counts)
			if string(got) != tc.closing+"\n" {
				t.Errorf("closing line %q, want %q", got, tc.closing)
			}
		})
	}
}

func TestOutputIsBounded(t *testing.T) {
	p := &pkg{output: map[string][]byte{}}
	for range 100 {
		p.keep("T", strings.Repeat("x", maxOutput/10))
	}
	p.keep("T", "the end")
	if got := p.output["T"]; len(got) != maxOutput || !bytes.HasSuffix(got, []byte("the end")) {
		t.Errorf("keeps %d bytes, want the last %d", len(got), maxOutput)
	}
}
