package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley/internal/datadir"
)

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	for _, tc := range []struct {
		args  []string
		stdin string
		code  int
		want  string // on either stream
	}{
		{args: nil, code: done, want: "Usage: parley <command>"},
		{args: []string{"--help"}, code: done, want: "account add"},
		{args: []string{"import", "--help"}, code: done, want: "--account=NAME@DOMAIN"},
		{args: []string{"version"}, code: done, want: "parley "},
		{args: []string{"frobnicate"}, code: misuse, want: "unexpected argument frobnicate"},
		{args: []string{"account"}, code: misuse, want: "expected one of"},
		{args: []string{"serve"}, code: misuse, want: "no data folder; say --data DIR"},
		{args: []string{"serve", "--data", dir, "--http", "8080"}, code: failed, want: `http.listen: "8080" is no address`},
		{args: []string{"account", "list", "--data", ""}, code: misuse, want: "--data names no folder"},
		{args: []string{"account", "list"}, code: misuse, want: "missing flags: --data=DIR"},
		{args: []string{"account", "add", "--data", dir}, code: misuse, want: "parley account add --help"},
		{args: []string{"account", "add", "ana@example.org", "--data", dir, "--password-stdin"}, code: misuse, want: "standard input has no password"},
		{args: []string{"account", "add", "ana@example.org", "--data", dir, "--password-stdin"}, stdin: "short\n", code: failed, want: "a password has 8"},
		{args: []string{"account", "passwd", "ana@example.org", "--data", dir}, code: misuse, want: "--password-stdin"},
		{args: []string{"token", "ana@example.org", "--data", dir, "--scopes", "read,fly"}, code: misuse, want: `"fly" is none of`},
		{args: []string{"token", "ana@example.org", "--data", dir}, code: misuse, want: "--scopes"},
		{args: []string{"import", "--data", dir, "--account", "ana@example.org", "--folder", "attic", "x"}, code: misuse, want: `"attic" is none of`},
		{args: []string{"export", "--data", dir, "--account", "ana@example.org", "--format", "pst", "x"}, code: misuse, want: "--format"},
		{args: []string{"export", "--data", dir, "--account", "ana@example.org", "--format", "maildir", "-"}, code: misuse, want: "maildir is a folder"},
		{args: []string{"top", "--data", dir, "--every", "1ms"}, code: misuse, want: "--every: 1ms is not between"},
		{args: []string{"rebuild", "--data", dir}, code: misuse, want: "--account NAME@DOMAIN or --all"},
		{args: []string{"reparse", "--data", dir}, code: misuse, want: "name an account, or say --all"},
		{args: []string{"reparse", "--data", dir, "--all", "ana@example.org"}, code: misuse, want: "name an account, or say --all"},
		{args: []string{"audit", "--data", filepath.Join(dir, "none")}, code: failed, want: "no data folder there; parley serve"},
		{args: []string{"check-config"}, code: done, want: "is sound"},
		{args: []string{"check-config", "--example"}, code: done, want: `listen = "127.0.0.1:8080"`},
		{args: []string{"check-config", filepath.Join(dir, "none.toml")}, code: failed, want: "no such file"},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			r := parley(t, tc.stdin, tc.args...)
			if r.code != tc.code || !strings.Contains(r.out+r.err, tc.want) {
				t.Errorf("got exit %d, %q, want %d, %q", r.code, r.out+r.err, tc.code, tc.want)
			}
			if tc.code != done && (r.out != "" || strings.Count(r.err, "\n") != 1) {
				t.Errorf("not one line of error: %q and %q", r.out, r.err)
			}
		})
	}
}

func TestCheckConfigNamesEveryProblem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "parley.toml")
	if err := os.WriteFile(file, []byte("[http]\nlisten = \"x\"\n[log]\nformat = \"xml\"\n[htp]\na = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := parley(t, "", "check-config", file)
	for _, want := range []string{"http.listen", "log.format", "htp"} {
		if r.code != failed || !strings.Contains(r.err, want) {
			t.Errorf("exit %d, no %s in %q", r.code, want, r.err)
		}
	}
}

// A folder that is held by somebody who does not answer.
func TestFolderIsHeld(t *testing.T) {
	dir := t.TempDir()
	d, err := datadir.Open(datadir.Config{Path: dir, Create: true, Holder: "somebody"})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	held := make(chan result, 1)
	go func() { held <- parley(t, "", "account", "list", "--data", dir) }()
	if r := <-held; r.code != failed || !strings.Contains(r.err, "(somebody), which does not answer") {
		t.Errorf("exit %d, %q after %v", r.code, r.err, time.Since(began))
	}
	// One that lets go is waited for.
	go func() { held <- parley(t, "", "account", "list", "--data", dir) }()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if r := <-held; r.code != done {
		t.Errorf("exit %d, %q", r.code, r.err)
	}
}
