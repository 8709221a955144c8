package main

import (
	"bufio"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

func TestDemoChecksItself(t *testing.T) {
	r := parley(t, "", "demo", "--exit")
	if r.code != done || !regexp.MustCompile(`(?m)^demo: \d+ checks passed`).MatchString(r.out) {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	if strings.Contains(r.err, "level=") {
		t.Errorf("warnings:\n%s", r.err)
	}
}

// The told demo stays up until it is interrupted.
func TestDemoStaysUp(t *testing.T) {
	cmd := newCommand(t, "demo")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	story := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		story += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), "All that can be asked: http://") {
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
	for _, want := range []string{"curl -H 'Authorization: Bearer parley_", "What Mei has of it", "生日快樂"} {
		if !strings.Contains(story, want) {
			t.Errorf("the story has no %q:\n%s", want, story)
		}
	}
}
