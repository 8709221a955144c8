//go:build corpus

package mail

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-im/parley/mail/mbox"
)

// The corpus stays where it is, for its licences: PARLEY_CORPUS names a folder
// with list.mbox.xz and mail/INDEX.tsv.
func corpus(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("PARLEY_CORPUS")
	if dir == "" {
		t.Fatal("PARLEY_CORPUS is not set")
	}
	return filepath.Join(dir, name)
}

func TestCorpusList(t *testing.T) {
	f, err := os.Open(corpus(t, "list.mbox.xz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := mbox.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(e)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, raw)
		m := check(t, raw)
		if m.Text == "" || strings.Contains(m.Text+m.Subject, "\ufffd") || m.Date.IsZero() && m.Header.Get("Date") != "" && !strings.HasPrefix(m.From[0].Name, "GitBox") {
			t.Errorf("message %d %q: text %q, date %v of %q", len(all), m.Subject, m.Snippet(50), m.Date, m.Header.Get("Date"))
		}
	}
	if len(all) != 538 {
		t.Errorf("got %d messages, want 538", len(all))
	}
	rewriteMailbox(t, all)
}

// rewriteMailbox: what is exported is imported, byte for byte.
func rewriteMailbox(t *testing.T, all [][]byte) {
	var b bytes.Buffer
	w := mbox.NewWriter(&b)
	for _, raw := range all {
		if err := w.Add("a@example.org", Parse(raw).Date, bytes.NewReader(raw)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	r := mbox.NewReader(&b)
	for i, want := range all {
		e, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(e); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("message %d differs: %v", i+1, err)
		}
	}
}
