//go:build corpus

package mail

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// statedExpectations reads what the tests of a message's source ask of it, as
// far as it is about what is here.
func statedExpectations(t *testing.T, stated string, m *Message, raw []byte) (out []expectation) {
	for s := range strings.SplitSeq(stated, "; ") {
		name, want, _ := strings.Cut(s, "=")
		got, known := statedValue(t, name, m, raw)
		switch name {
		case "to":
			want = strings.Join(regexp.MustCompile(`[^\s"'<>\[\],]+@[^"'<>\[\],]+`).FindAllString(want, -1), ", ")
		case "date":
			at, err := time.Parse("2 Jan 2006 15:04:05 -0700", strings.TrimLeft(strings.Trim(strings.TrimPrefix(want, "::DateTime.parse("), "'"), "MTWFSadehinortu,. "))
			if err != nil {
				t.Fatalf("date %q: %v", want, err)
			}
			want = at.Format(time.RFC3339)
		case "subject":
			if want == "subject" {
				known = false
			}
		}
		want = strings.NewReplacer(`\t`, " ", `\n`, " ").Replace(strings.Trim(want, `"'[]`))
		if known {
			out = append(out, expectation{"", "stated " + name, squeeze(want), squeeze(got)})
		}
	}
	return out
}

var nth = regexp.MustCompile(`^attachments\[(\d)\]\.(.*)$`)

func statedValue(t *testing.T, name string, m *Message, raw []byte) (string, bool) {
	name = strings.Replace(name, "attachments.first.", "attachments[0].", 1)
	if p := nth.FindStringSubmatch(name); p != nil {
		i, _ := strconv.Atoi(p[1])
		if i >= len(m.Attachments) {
			return "none", true
		}
		at := m.Attachments[i]
		switch p[2] {
		case "filename":
			return at.Filename, true
		case "inline?":
			return fmt.Sprint(at.Inline), true
		case "decoded.length":
			b, err := io.ReadAll(at.Decode(bytes.NewReader(raw)))
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(len(b)), true
		}
		return "", false
	}
	var to []string
	for _, a := range m.To {
		to = append(to, a.Addr)
	}
	switch name {
	case "attachments.length", "attachments.size":
		return fmt.Sprint(len(m.Attachments)), true
	case "parts.size", "parts.length":
		return fmt.Sprint(len(m.Root.Children)), true
	case "parts.first.parts.size":
		return fmt.Sprint(len(m.Root.Children[0].Children)), true
	case "boundary":
		return m.Root.boundary, true
	case "to":
		return strings.Join(to, ", "), true
	case "from":
		return m.From[0].Addr, true
	case "message_id":
		return m.MessageID, true
	case "subject":
		return m.Subject, true
	case "date":
		return m.Date.Format(time.RFC3339), true
	case "body.decoded", "decoded.chomp":
		return m.Text, true
	case "reply text":
		return OwnText(m.Text), true
	}
	return "", false
}

// replyExpectations: the text without quote and signature stands in a file beside.
func replyExpectations(t *testing.T, row map[string]string, text string) []expectation {
	if name, _, ok := strings.Cut(row["expected_sidecar"], ","); ok {
		want, err := os.ReadFile(corpus(t, "mail/"+row["file"][:strings.IndexByte(row["file"], '/')+1]+name))
		if err != nil {
			t.Fatal(err)
		}
		return []expectation{{"", "expected_sidecar", squeeze(string(want)), squeeze(OwnText(text))}}
	}
	if want, ok := strings.CutPrefix(row["expected_stated_by_source"], "visible text="); ok {
		return []expectation{{"", "stated visible text", strings.Trim(want, `"'`), squeeze(OwnText(text))}}
	}
	return nil
}
