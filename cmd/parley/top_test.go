package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// Top looks into the server that holds the folder.
func TestTop(t *testing.T) {
	dir := folder(t)
	if r := parley(t, "", "top", "--data", dir, "--once"); r.code != failed || !strings.Contains(r.err, "no server runs here") {
		t.Errorf("without a server: exit %d, %q", r.code, r.err)
	}
	s := serve(t, "--data", dir)
	cmd := newCommand(t, "top", "--data", dir, "--json", "--every", "200ms")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var shown struct{ Figures map[string]*float64 }
		if err := json.Unmarshal(lines.Bytes(), &shown); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		memory, requests := shown.Figures["resident_bytes"], shown.Figures["requests_per_second"]
		if memory == nil || *memory < 1<<20 {
			t.Fatalf("no memory in %s", lines.Text())
		}
		if seen = seen || requests != nil && *requests > 0; seen {
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			break
		}
		got, err := http.Get("http://" + s.HTTP + "/v1/status") // counted in a later line
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); { // Wait closes the pipe
	}
	if err := cmd.Wait(); err != nil || !seen {
		t.Errorf("interrupted: %v; requests were seen: %v", err, seen)
	}
	table := must(t, "", "top", "--data", dir, "--once", "--every", "100ms")
	for _, want := range []string{"requests/s", "activations/s", "commits/s", "cells/s", "event streams", "compaction queued", "MiB"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}
