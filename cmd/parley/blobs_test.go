package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// largeMbox is mail too large for the rows, so that each message is a blob.
func largeMbox(t *testing.T, messages int) string {
	t.Helper()
	var b strings.Builder
	for n := range messages {
		fmt.Fprintf(&b, "From x@else.where Thu Jan  1 00:00:0%d 2026\nFrom: X <x@else.where>\nMessage-ID: <%d@x>\nSubject: number %d\n\n%s\n\n",
			n, n, n, strings.Repeat(fmt.Sprintln("large", n), 8000))
	}
	path := filepath.Join(t.TempDir(), "large.mbox")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What looks after the blobs says the same with a server and without one.
func TestBlobVerbs(t *testing.T) {
	for _, running := range []bool{false, true} {
		t.Run(fmt.Sprintf("running=%v", running), func(t *testing.T) {
			dir := folder(t)
			if running {
				serve(t, "--data", dir)
			}
			must(t, "", "import", "--data", dir, "--account", "ana@example.org", largeMbox(t, 3))
			var sweep struct{ Blobs, Bytes, Waiting, Ended, Missing_count int64 }
			if err := json.Unmarshal([]byte(must(t, "", "blob", "sweep", "--data", dir, "--json")), &sweep); err != nil {
				t.Fatal(err)
			}
			if sweep.Blobs != 3 || sweep.Bytes < 3*60_000 || sweep.Waiting+sweep.Ended+sweep.Missing_count != 0 {
				t.Errorf("blob sweep: %+v", sweep)
			}
			if got := must(t, "", "blob", "sweep", "--data", dir); !strings.Contains(got, "3 blobs") || !strings.Contains(got, "0 ended") {
				t.Errorf("blob sweep: %q", got)
			}
			if got := must(t, "", "blob", "compact", "--data", dir, "--all"); !strings.HasPrefix(got, "0 volumes rewritten") {
				t.Errorf("blob compact: %q", got)
			}
			if got := must(t, "", "blob", "compact", "--data", dir, "--json"); !strings.Contains(got, `"damages":[]`) && !strings.Contains(got, `"damages": []`) {
				t.Errorf("blob compact: %q", got)
			}
			if got := must(t, "", "blob", "check", "--data", dir, "--names"); !strings.HasPrefix(got, "3 blobs in ") {
				t.Errorf("blob check: %q", got)
			}
		})
	}
}

// A missing blob is named, and costs an export that message alone.
func TestMissingBlob(t *testing.T) {
	dir := folder(t)
	must(t, "", "import", "--data", dir, "--account", "ana@example.org", largeMbox(t, 2))
	must(t, "", "import", "--data", dir, "--account", "ana@example.org", "testdata/quay.mbox")
	volumes, err := filepath.Glob(filepath.Join(dir, "blobs", "*.vol"))
	if err != nil || len(volumes) == 0 {
		t.Fatalf("volumes: %v, %v", volumes, err)
	}
	for _, path := range volumes {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	r := parley(t, "", "blob", "check", "--data", dir, "--names")
	if r.code != failed || strings.Count(r.out, "missing: blob ") != 2 || !strings.Contains(r.err, "2 blobs are missing") {
		t.Errorf("blob check --names: exit %d, %q, %q", r.code, r.out, r.err)
	}
	for _, format := range []string{"mbox", "maildir", "eml"} {
		to := filepath.Join(t.TempDir(), "out")
		r := parley(t, "", "export", "--data", dir, "--account", "ana@example.org", "--format", format, to)
		if r.code != failed || strings.Count(r.err, "not exported: msg_") != 2 || !strings.Contains(r.err, "3 messages") || !strings.Contains(r.err, "2 messages could not be read") {
			t.Errorf("export to %s: exit %d, %q", format, r.code, r.err)
		}
		if got := exportedTexts(t, format, to); len(got) != 3 || strings.Contains(fmt.Sprint(got), "large") {
			t.Errorf("export to %s: %d messages, want 3 without the large ones: %.300q", format, len(got), got)
		}
	}
}

// exportedTexts are the messages that an export wrote.
func exportedTexts(t *testing.T, format, to string) (texts []string) {
	t.Helper()
	if format == "mbox" {
		return messages(t, string(read(t, to)))
	}
	err := filepath.WalkDir(to, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (filepath.Base(filepath.Dir(path)) == "cur" || filepath.Ext(path) == ".eml") {
			texts = append(texts, string(read(t, path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// A message of which a piece is damaged is not written without that piece.
func TestDamagedBlob(t *testing.T) {
	dir := folder(t)
	must(t, "", "import", "--data", dir, "--account", "ana@example.org", largeMbox(t, 3))
	volumes, err := filepath.Glob(filepath.Join(dir, "blobs", "*.vol"))
	if err != nil {
		t.Fatal(err)
	}
	flipped := 0
	for _, path := range volumes {
		if all := read(t, path); bytes.Contains(all, []byte("large 1\n")) {
			all[bytes.Index(all, []byte("large 1\n"))+40_000] ^= 1 // far from where a message begins
			if err := os.WriteFile(path, all, 0o600); err != nil {
				t.Fatal(err)
			}
			flipped++
		}
	}
	if flipped != 1 {
		t.Fatalf("%d volumes hold the message", flipped)
	}
	for _, format := range []string{"mbox", "maildir", "eml"} {
		to := filepath.Join(t.TempDir(), "out")
		r := parley(t, "", "export", "--data", dir, "--account", "ana@example.org", "--format", format, to)
		if r.code != failed || strings.Count(r.err, "not exported: msg_") != 1 || !strings.Contains(r.err, "2 messages") {
			t.Errorf("export to %s: exit %d, %q", format, r.code, r.err)
		}
		got := exportedTexts(t, format, to)
		if len(got) != 2 || strings.Count(got[0], "large 0\n") != 8000 || strings.Count(got[1], "large 2\n") != 8000 {
			t.Errorf("export to %s: %d messages, want the two that are whole", format, len(got))
		}
	}
}
