//go:build corpus

package quote_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-im/parley/mail"
	"github.com/parley-im/parley/mail/quote"
)

// argued are texts of which the source says something else, and why this does not.
var argued = map[string]string{
	"email_reply_trimmer/embedded_email_1.txt": "what stands behind the quote is said by its author, and it is no signature",
}

// TestCorpus holds own texts to what the sources of the corpus say of them.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(os.Getenv("PARLEY_CORPUS"), "mail")
	f, err := os.Open(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.Comma, in.LazyQuotes = '\t', true
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, row := range rows[1:] {
		name, says, beside := row[0], row[7], row[8]
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		s, want := string(raw), ""
		keep := []quote.Kind{}
		switch said, ok := strings.CutPrefix(says, "reply text="); {
		case strings.HasPrefix(name, "email_reply_trimmer/"):
			trimmed, err := os.ReadFile(filepath.Join(dir, filepath.Dir(name), strings.Split(beside, ",")[0]))
			if err != nil {
				t.Fatal(err)
			}
			want = string(trimmed)
		case strings.HasPrefix(says, "visible text="):
			want = strings.Trim(strings.TrimPrefix(says, "visible text="), "'")
		case strings.HasPrefix(name, "talon/") && ok:
			if want, err = strconv.Unquote(said); err != nil {
				t.Fatal(err)
			}
			s, keep = mail.Parse(raw).Text, append(keep, quote.Signature) // it finds quotes alone
		default:
			continue
		}
		n++
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		var ranges []quote.Range
		for _, r := range quote.Find(s, nil) {
			if len(keep) == 0 || r.Kind != keep[0] {
				ranges = append(ranges, r)
			}
		}
		if got := quote.Own(s, ranges); (squeeze(got) == squeeze(want)) == (argued[name] != "") {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, quote.Find(s, nil), got, want)
		}
	}
	if n < 25 {
		t.Errorf("%d texts have a stated own text, want 25 at least", n)
	}
}
