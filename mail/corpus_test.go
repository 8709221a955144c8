//go:build corpus

package mail

import (
	"bytes"
	"encoding/csv"
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

// textless are the messages of the corpus that have no text at all: an
// attachment alone, or nothing.
var textless = map[string]bool{
	"flanker/false-multipart.eml":                    true, // one line end
	"mailparser/base64encodedroot.eml":               true, // a picture
	"mikel-mail/attachment_only_email.eml":           true, // an archive
	"mikel-mail/attachment_with_quoted_filename.eml": true, // a picture
	"mikel-mail/empty_in_reply_to.eml":               true, // no body
	"mikel-mail/raw_email_with_binary_encoded.eml":   true, // a picture
	"mimekit/messages-missing-subtype.eml":           true, // document.xml.gz
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

// TestCorpusMail compares with what most of the parsers behind INDEX.tsv agree on.
func TestCorpusMail(t *testing.T) {
	f, err := os.Open(corpus(t, "mail/INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.Comma, in.LazyQuotes = '\t', true
	rows, err := in.ReadAll()
	if err != nil || len(rows) != 129 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		name := row[column["file"]]
		raw, err := os.ReadFile(corpus(t, "mail/"+name))
		if err != nil {
			t.Fatal(err)
		}
		m := check(t, raw)
		if (m.Text == "") != textless[name] {
			t.Errorf("%s: text %q", name, m.Snippet(80))
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		agreed := func(s string) bool { return s != "" && !strings.ContainsAny(s, "\ufffd?") }
		if want := squeeze(row[column["subject_consensus"]]); agreed(want) && squeeze(m.Subject) != want {
			t.Errorf("%s: subject %q, agreed is %q", name, m.Subject, want)
		}
		want := squeeze(row[column["text_snippet_consensus"]])
		if name == "enmime/parts-nestedmulti.eml" {
			want = "A text section" // named text in multipart/related is attached: RFC 8621 4.1.4
		}
		if want = cut(want, 60); agreed(want) && !strings.Contains(squeeze(m.Text), want) {
			t.Errorf("%s: text %q, agreed is %q", name, m.Snippet(100), want)
		}
	}
}
