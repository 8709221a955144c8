//go:build corpus

package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-im/parley/client"
	"github.com/parley-im/parley/mail/mbox"
)

var rewrite = flag.Bool("rewrite", false, "write the expectations anew")

// TestList imports an archive of a mailing list: 538 messages in 146 threads,
// all readable, byte-identical when exported, and nothing added the second time.
func TestList(t *testing.T) {
	s := start(t)
	archive := filepath.Join(folder(t), "list.mbox.xz")
	for i, want := range []string{"538 added", "0 added"} {
		if out := s.run("", "import", "--account", s.account, archive); !strings.Contains(out, want) {
			t.Errorf("import %d says %q, want %q", i+1, out, want)
		}
	}
	threads, ms := s.messages()
	if threads != 146 || len(ms) != 538 {
		t.Errorf("%d messages in %d threads, want 538 in 146", len(ms), threads)
	}
	readable(t, ms)
	sums := map[string]string{}
	slices.SortFunc(ms, func(a, b client.Message) int { return strings.Compare(a.MessageID, b.MessageID) }) // some came in the same second
	for i, m := range ms {
		if i%20 == 0 {
			sums[fmt.Sprintf("list/%03d", i)] = sum(m.Subject + "\n" + m.Text)
		}
	}
	expect(t, "list.sums", sums)

	exported := filepath.Join(t.TempDir(), "out.mbox")
	s.run("", "export", "--account", s.account, "--format", "mbox", exported)
	if got, want := raws(t, exported), raws(t, archive); !slices.Equal(got, want) {
		t.Errorf("the export differs from the archive: %d messages, want %d", len(got), len(want))
	}
	notmuch(t, s, ms, archive)
	if out := s.run("", "audit"); !strings.Contains(out, "0 problems") {
		t.Errorf("audit: %s", out)
	}
}

// doubles are messages of the collection that are further arrivals of another one
// there: the same Message-ID, author and own text, written differently.
var doubles = map[string]bool{"e3d8ab7f101ada02": true, "56b7d7884be5c14c": true}

// TestMail brings each message of the collection through LMTP: every one is
// stored, readable, and given back as it came.
func TestMail(t *testing.T) {
	s := start(t)
	files := indexed(t)
	if len(files) != 128 {
		t.Fatalf("%d files, want 128", len(files))
	}
	want := map[string]bool{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if a := s.deliver(raw); !strings.HasPrefix(a, "250") {
			t.Errorf("%s: %s", f, a)
		}
		want[sum(string(raw))] = true
	}
	_, ms := s.messages()
	readable(t, ms)
	sums, got := map[string]string{}, map[string]bool{}
	for _, m := range ms {
		raw := s.raw(m.ID)
		got[sum(string(raw))] = true
		sums["mail/"+sum(string(raw))[:16]] = sum(m.Subject + "\n" + m.Text)
	}
	for digest := range want {
		if !got[digest] && !doubles[digest[:16]] {
			t.Errorf("a message with digest %s is not given back as it came", digest[:16])
		}
	}
	if len(ms) != len(want)-len(doubles) {
		t.Errorf("%d messages, want %d and %d doubles", len(ms), len(want)-len(doubles), len(doubles))
	}
	expect(t, "mail.sums", sums)
	if out := s.run("", "audit"); !strings.Contains(out, "0 problems") {
		t.Errorf("audit: %s", out)
	}
}

// indexed lists the messages that the collection's index names.
func indexed(t *testing.T) (files []string) {
	index, err := os.ReadFile(filepath.Join(folder(t), "mail", "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(index)), "\n") {
		if name, _, _ := strings.Cut(line, "\t"); i > 0 {
			files = append(files, filepath.Join(folder(t), "mail", name))
		}
	}
	return files
}

func sum(s string) string {
	d := sha256.Sum256([]byte(s))
	return hex.EncodeToString(d[:])
}

func readable(t *testing.T, ms []client.Message) {
	t.Helper()
	for _, m := range ms {
		if m.Text == "" || !utf8.ValidString(m.Text) {
			t.Errorf("%s %q is not readable", m.ID, m.Subject)
		}
	}
}

// expect compares digests of what was read with the committed ones.
func expect(t *testing.T, name string, sums map[string]string) {
	t.Helper()
	var lines []string
	for k, v := range sums {
		lines = append(lines, k+" "+v)
	}
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("what was read differs from %s (%v)", path, err)
	}
}

// raws are the digests of an mbox's messages.
func raws(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := mbox.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for {
		m, err := r.Next()
		if err == io.EOF {
			slices.Sort(out)
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(m)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sum(string(raw)))
	}
}

// notmuch holds the threads to those of an independent program over the same
// messages in a Maildir.
func notmuch(t *testing.T, s *server, ms []client.Message, archive string) {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, "mail", d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	byDigest := map[string]string{} // digest of raw -> thread here
	for i, m := range ms {
		raw := s.raw(m.ID)
		byDigest[fmt.Sprintf("%05d", i)] = string(m.Thread)
		if err := os.WriteFile(filepath.Join(dir, "mail", "cur", fmt.Sprintf("%05d.x:2,S", i)), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(dir, "config")
	text := "[database]\npath=" + filepath.Join(dir, "mail") + "\n[user]\nname=x\nprimary_email=x@example.org\n"
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		cmd := exec.Command("notmuch", append([]string{"--config=" + config}, args...)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("notmuch %v: %v\n%s", args, err, errs.String())
		}
		return string(out)
	}
	run("new")
	theirs := map[string]string{}
	for _, th := range strings.Fields(run("search", "--output=threads", "*")) {
		for _, f := range strings.Fields(run("search", "--output=files", th)) {
			theirs[filepath.Base(f)[:5]] = th
		}
	}
	// Two partitions are equal when each class of one meets one class of the other.
	here, there := map[string]map[string]bool{}, map[string]map[string]bool{}
	for key, mine := range byDigest {
		yours := theirs[key]
		if yours == "" {
			t.Errorf("notmuch does not have message %s", key)
			continue
		}
		add(here, mine, yours)
		add(there, yours, mine)
	}
	for name, classes := range map[string]map[string]map[string]bool{"a thread here is several of notmuch's": here, "a thread of notmuch's is several here": there} {
		for id, others := range classes {
			if len(others) != 1 {
				t.Errorf("%s: %s meets %d", name, id, len(others))
			}
		}
	}
	t.Logf("notmuch has %d threads, parley %d", len(there), len(here))
}

func add(m map[string]map[string]bool, k, v string) {
	if m[k] == nil {
		m[k] = map[string]bool{}
	}
	m[k][v] = true
}
