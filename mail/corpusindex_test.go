//go:build corpus

package mail

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

// expectation is one cell of INDEX.tsv and what is here.
type expectation struct{ file, column, want, got string }

// TestCorpusMail compares every message with every column of INDEX.tsv. What
// differs is printed as a table; only differences that argued explains are
// taken, and those must be there.
func TestCorpusMail(t *testing.T) {
	rows := corpusIndex(t)
	var differ []expectation
	seen, cells := map[string]bool{}, 0
	for _, row := range rows {
		raw, err := os.ReadFile(corpus(t, "mail/"+row["file"]))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range expectations(t, row, raw) {
			e.file = row["file"]
			seen[e.file+" "+e.column] = true
			if cells++; !agrees(e) {
				differ = append(differ, e)
			}
		}
	}
	for key := range argued {
		if !seen[key] {
			t.Errorf("%s is argued, and no such cell is there", key)
		}
	}
	reportDifferences(t, differ, cells)
}

func reportDifferences(t *testing.T, differ []expectation, cells int) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "file\tcolumn\twant\tgot\twhy")
	left := map[string]bool{}
	for key := range argued {
		left[key] = true
	}
	for _, e := range differ {
		why, known := argued[e.file+" "+e.column]
		if delete(left, e.file+" "+e.column); !known {
			t.Errorf("%s %s:\n got %q\nwant %q", e.file, e.column, e.got, e.want)
		}
		fmt.Fprintf(w, "%s\t%s\t%.50q\t%.50q\t%s\n", e.file, e.column, e.want, e.got, why)
	}
	for key := range left {
		t.Errorf("%s does not differ any more: %s", key, argued[key])
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d cells differ\n%s", len(differ), cells, b.String())
}

func corpusIndex(t *testing.T) (out []map[string]string) {
	f, err := os.Open(corpus(t, "mail/INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.Comma, in.LazyQuotes = '\t', true
	rows, err := in.ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			if name != "agree" {
				m[name] = squeeze(row[i])
			}
		}
		out = append(out, m)
	}
	return out
}

// expectations are the cells of one row that say something of their own: "?"
// says that the parsers asked did not agree.
func expectations(t *testing.T, row map[string]string, raw []byte) (out []expectation) {
	sum := sha256.Sum256(raw)
	add := func(column, want, got string) {
		if want != "?" {
			out = append(out, expectation{"", column, want, got})
		}
	}
	add("sha256_16", row["sha256_16"], hex.EncodeToString(sum[:8]))
	m := check(t, raw)
	switch row["kind"] {
	case "reply-body":
		for _, e := range replyExpectations(t, row, string(raw)) {
			add(e.column, e.want, e.got)
		}
		return out
	case "thread-mbox": // threads of subjects; here a subject alone never joins
		return out
	}
	id, parent := "", ""
	if m.MessageID != "" {
		id = "<" + m.MessageID + ">"
	}
	if chain := m.RefChain(); len(chain) > 0 {
		parent = "<" + chain[0] + ">"
	}
	from := ""
	if len(m.From) > 0 {
		from = m.From[0].Addr
	}
	add("subject_consensus", row["subject_consensus"], squeeze(m.Subject))
	add("from_consensus", row["from_consensus"], from)
	add("attachments_consensus", row["attachments_consensus"], fileList(m))
	add("text_snippet_consensus", row["text_snippet_consensus"], squeeze(m.Text))
	add("message_id", row["message_id"], id)
	add("thread_parent", strings.TrimPrefix(row["thread_parent"], "outside the set: "), parent)
	for _, e := range statedExpectations(t, row["expected_stated_by_source"], m, raw) {
		add(e.column, e.want, e.got)
	}
	return out
}

func agrees(e expectation) bool {
	if e.column == "text_snippet_consensus" && e.want != "" {
		return strings.Contains(e.got, e.want)
	}
	return e.got == e.want
}

func fileList(m *Message) string {
	var names []string
	for _, p := range m.Attachments {
		names = append(names, firstOf(p.Filename, "(no name)"))
	}
	if slices.Sort(names); len(names) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d: %s", len(names), strings.Join(names, ", "))
}
