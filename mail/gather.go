package mail

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// gather joins texts up to a limit.
type gather struct {
	b     strings.Builder
	limit int
	cut   bool
}

func (g *gather) add(s string) {
	s = trimBlank(s)
	if strings.TrimSpace(s) == "" {
		return
	}
	if g.b.Len() > 0 {
		s = "\n\n" + s
	}
	if len(s) > g.room() {
		s, g.cut = cut(s, g.room()), true
	}
	g.b.WriteString(s)
}

func (g *gather) room() int      { return g.limit - g.b.Len() }
func (g *gather) empty() bool    { return g.b.Len() == 0 }
func (g *gather) String() string { return g.b.String() }

// metaCharset is what an HTML text says about itself; "" if nothing.
func metaCharset(b []byte) string {
	if !bytes.Contains(b[:min(len(b), 1024)], []byte("charset")) {
		return ""
	}
	_, name, _ := charset.DetermineEncoding(b, "")
	return name
}

// Readable is what to show where a text must stand: Text, else the subject,
// else the names of the attachments, else "(no text)".
func (m *Message) Readable() string {
	if m.Text != "" {
		return m.Text
	}
	if m.Subject != "" {
		return m.Subject
	}
	var names []string
	for _, p := range m.Attachments {
		if p.Filename != "" && len(names) < 20 {
			names = append(names, p.Filename)
		}
	}
	if len(names) > 0 {
		return "[" + strings.Join(names, ", ") + "]"
	}
	return "(no text)"
}

// Snippet is the beginning of the text in one line of at most n characters:
// quotes, rules and the addresses of links left out.
func (m *Message) Snippet(n int) string {
	var b strings.Builder
	for ln := range strings.Lines(m.Text) {
		ln = strings.TrimSpace(ln)
		rule := strings.HasPrefix(ln, "-----") && strings.HasSuffix(ln, "-----")
		if rule || strings.HasPrefix(ln, ">") || strings.Trim(ln, "-=_*#~ ") == "" {
			continue
		}
		for w := range strings.FieldsSeq(ln) {
			if isLink(w) {
				continue
			}
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
		if b.Len() > n*utf8.UTFMax {
			break
		}
	}
	return ellipsis(b.String(), n)
}

// isLink reports a word that is the address behind a link's text.
func isLink(w string) bool {
	return strings.HasPrefix(w, "(http://") || strings.HasPrefix(w, "(https://") || strings.HasPrefix(w, "(mailto:")
}

// ellipsis shortens s to n characters, at a word if one ends near.
func ellipsis(s string, n int) string {
	if n <= 0 || utf8.RuneCountInString(s) <= n {
		return s[:len(s)*min(1, max(n, 0))]
	}
	end := 0
	for range n - 1 {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	if i := strings.LastIndexByte(s[:end], ' '); i > end*3/4 {
		end = i
	}
	return strings.TrimSpace(s[:end]) + "…"
}
