package mail

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write the goldens anew")

// TestGolden reads each nasty message of testdata and compares all that is
// seen in it with its golden.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d messages, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".eml"), func(t *testing.T) {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := describe(check(t, raw))
			golden := strings.TrimSuffix(name, ".eml") + ".golden"
			if *rewrite {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// describe writes a message down for people, leaving out what is empty.
func describe(m *Message) string {
	var b strings.Builder
	put := func(name string, v any) {
		if s := fmt.Sprint(v); s != "" && s != "[]" {
			fmt.Fprintf(&b, "%s: %s\n", name, s)
		}
	}
	for _, f := range [...]struct {
		name string
		list []Address
	}{{"from", m.From}, {"sender", m.Sender}, {"reply-to", m.ReplyTo}, {"to", m.To}, {"cc", m.Cc}, {"bcc", m.Bcc}} {
		for _, a := range f.list {
			put(f.name, fmt.Sprintf("%q <%s>", a.Name, a.Addr))
		}
	}
	put("subject", m.Subject)
	if !m.Date.IsZero() {
		put("date", m.Date.Format(time.RFC3339))
	}
	put("id", m.MessageID)
	put("chain", strings.Join(m.RefChain(), " "))
	put("thread-index", m.ThreadIndex)
	put("list", m.ListID)
	put("auto", m.AutoSubmitted)
	for _, f := range m.Header {
		if strings.HasPrefix(f.Name, "X-") || f.Name == "Comments" {
			put(f.Name, f.Text())
		}
	}
	for _, p := range m.Parts {
		fmt.Fprintf(&b, "part %s %s", p.Path, p.Type)
		for _, x := range [...][2]string{{"charset", p.Charset}, {"disposition", p.Disposition}, {"filename", p.Filename}, {"cid", p.ContentID}, {"location", p.Location}} {
			if x[1] != "" {
				fmt.Fprintf(&b, " %s=%q", x[0], x[1])
			}
		}
		if p.Inline {
			b.WriteString(" inline")
		}
		fmt.Fprintf(&b, " %s %d+%d size %d\n", p.Encoding, p.Offset, p.Length, p.Size)
	}
	for _, p := range m.Attachments {
		put("attachment", p.Path)
	}
	for _, d := range m.Defects {
		put("defect", d)
	}
	put("snippet", m.Snippet(60))
	fmt.Fprintf(&b, "---- text\n%s\n", cut(m.Text, 2000))
	if own := OwnText(m.Text); own != m.Text {
		fmt.Fprintf(&b, "---- own\n%s\n", own)
	}
	if m.HTML != "" {
		fmt.Fprintf(&b, "---- html\n%s\n", m.HTML)
	}
	return b.String()
}
