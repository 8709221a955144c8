package mail

import (
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// check holds a message to what the package promises of any.
func check(t *testing.T, raw []byte) *Message {
	t.Helper()
	m := Parse(raw)
	checkText(t, m)
	checkParts(t, raw, m)
	at, err := ParseAt(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatalf("ParseAt: %v", err)
	}
	if !reflect.DeepEqual(at, m) {
		t.Fatalf("ParseAt gives %+v, Parse %+v", at, m)
	}
	d := NewDigester()
	for piece := range slices.Chunk(raw, 1+len(raw)>>12) {
		d.Write(piece)
	}
	if got, want := d.Sum(), Digest(raw); got != want {
		t.Fatalf("digest piece by piece: got %x, want %x", got, want)
	}
	if _, err := m.ContentDigest(bytes.NewReader(raw)); err != nil {
		t.Fatalf("ContentDigest: %v", err)
	}
	return m
}

func checkText(t *testing.T, m *Message) {
	t.Helper()
	lines := []string{m.Subject, m.MessageID, m.ListID, m.ThreadIndex, m.AutoSubmitted, m.Snippet(50)}
	lines = append(append(append(lines, m.InReplyTo...), m.References...), m.RefChain()...)
	for _, list := range [...][]Address{m.From, m.Sender, m.ReplyTo, m.To, m.Cc, m.Bcc} {
		for _, a := range list {
			lines = append(lines, a.Name, a.Addr, a.Key(), a.String())
			if a.Name == "" && a.Addr == "" {
				t.Errorf("an address of nothing in %v", list)
			}
		}
	}
	for _, p := range m.Parts {
		lines = append(lines, p.Path, p.Type, p.Charset, p.Disposition, p.Filename, p.ContentID, p.Location, p.Language)
	}
	for _, f := range m.Header {
		lines = append(lines, f.Name, f.Text())
	}
	for _, s := range lines {
		if strings.ContainsFunc(s, isControl) || !utf8.ValidString(s) {
			t.Errorf("not one line of text: %q", s)
		}
	}
	for _, s := range [...]string{m.Text, m.HTML, m.Readable()} {
		bad := func(r rune) bool { return isControl(r) && r != '\n' && r != '\t' }
		if strings.ContainsFunc(s, bad) || !utf8.ValidString(s) {
			t.Errorf("not text: %q", s)
		}
	}
	if m.Readable() == "" || len(m.Text) > MaxTextBytes || len(m.HTML) > MaxHTMLBytes ||
		len(m.References) > MaxReferences || utf8.RuneCountInString(m.Snippet(50)) > 50 {
		t.Errorf("out of bounds: readable %d, text %d, HTML %d, references %d, snippet %q",
			len(m.Readable()), len(m.Text), len(m.HTML), len(m.References), m.Snippet(50))
	}
}

func checkParts(t *testing.T, raw []byte, m *Message) {
	t.Helper()
	paths := map[string]bool{}
	for _, p := range m.Parts {
		if paths[p.Path] || p.Path == "" {
			t.Errorf("path %q stands twice", p.Path)
		}
		paths[p.Path] = true
		size := int64(len(raw))
		if p.within != nil {
			size = p.within.size
		}
		if p.HeaderOffset < 0 || p.HeaderOffset > p.Offset || p.Length < 0 || p.Offset+p.Length > size {
			t.Errorf("part %s: header %d, body %d + %d in %d bytes", p.Path, p.HeaderOffset, p.Offset, p.Length, len(raw))
		}
		if major, minor, _ := strings.Cut(p.Type, "/"); major == "" || minor == "" {
			t.Errorf("part %s: type %q", p.Path, p.Type)
		}
		if strings.ContainsAny(p.Filename, `/\`) || strings.HasPrefix(p.Filename, ".") {
			t.Errorf("part %s: file name %q", p.Path, p.Filename)
		}
		if len(p.Children) == 0 {
			if n, err := io.Copy(io.Discard, p.Decode(bytes.NewReader(raw))); n != p.Size || err != nil {
				t.Errorf("part %s: size %d, decoded %d, %v", p.Path, p.Size, n, err)
			}
		}
		for _, c := range p.Children {
			if c.within == p.within && (c.HeaderOffset < p.Offset || c.Offset+c.Length > p.Offset+p.Length) {
				t.Errorf("part %s stands outside of %s", c.Path, p.Path)
			}
		}
	}
	checkShown(t, m)
	for _, p := range m.Attachments {
		if !paths[p.Path] {
			t.Errorf("attachment %s is no part", p.Path)
		}
	}
	if len(m.Parts) > MaxParts+MaxDepth {
		t.Errorf("%d parts", len(m.Parts))
	}
}
