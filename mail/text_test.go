package mail

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestOwnText(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "all mine": "all mine", "a\n\n> q\n> r\n": "a", "a\n\nAna wrote:\n\n> q\n\n": "a",
		"a\n\nOn Tue, Bo\n<b@x> wrote:\n> q": "a", "> only\n> a quote": "> only\n> a quote", "> q\nanswer below": "> q\nanswer below",
		"a\n-- \nAna\n": "a", "a\n\n> q\n-- \nAna": "a", "a: b\n> q": "a: b",
		"a\n" + strings.Repeat("_", 40) + "\nlist@x": "a",
		strings.Repeat("_", 40) + "\nform":           strings.Repeat("_", 40) + "\nform",
		"a\n-- \n" + strings.Repeat("long\n", 30):    strings.TrimSpace("a\n-- \n" + strings.Repeat("long\n", 30)),
	} {
		if got := OwnText(in); strings.TrimSpace(got) != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestSnippet(t *testing.T) {
	for _, tc := range []struct {
		text string
		n    int
		want string
	}{
		{"", 10, ""}, {"Hello\n\n  world", 20, "Hello world"}, {"> quoted\nHello\n-----\nthere", 20, "Hello there"},
		{"See this (https://example.org/very/long) and that", 50, "See this and that"},
		{"Hello beautiful world", 18, "Hello beautiful…"}, {"abcdefghij", 5, "abcd…"}, {"äöüßéèê", 4, "äöü…"}, {"x", 0, ""}, {"x", 1, "x"},
	} {
		if got := (&Message{Text: tc.text}).Snippet(tc.n); got != tc.want {
			t.Errorf("%q in %d: got %q, want %q", tc.text, tc.n, got, tc.want)
		}
	}
}

func TestReadable(t *testing.T) {
	for want, m := range map[string]*Message{
		"text": {Text: "text", Subject: "s"}, "s": {Subject: "s"}, "(no text)": {},
		"[a.pdf, b.pdf]": {Attachments: []*Part{{Filename: "a.pdf"}, {}, {Filename: "b.pdf"}}},
	} {
		if got := m.Readable(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Bounds of the text are kept, and said.
func TestTextCut(t *testing.T) {
	for name, typ := range map[string]string{"plain": "text/plain", "html": "text/html"} {
		raw := []byte("Content-Type: " + typ + "; charset=utf-8\n\n" + strings.Repeat("ä ", MaxTextBytes/3+10))
		m := check(t, raw)
		if !m.TextCut || len(m.Text) > MaxTextBytes || len(m.Text) < MaxTextBytes-10 || !slices.Contains(m.Defects, DefectTextCut) {
			t.Errorf("%s: cut %v, %d bytes, defects %q", name, m.TextCut, len(m.Text), m.Defects)
		}
	}
	p := Parse([]byte("\nabcdef")).Root
	if s, cutOff, err := p.Text(bytes.NewReader([]byte("\nabcdef")), 3); s != "abc" || !cutOff || err != nil {
		t.Errorf("got %q, %v, %v", s, cutOff, err)
	}
}

// RFC 8621 4.1.4, the structure of its example and how it is to be sorted.
func TestBodies(t *testing.T) {
	raw := []byte(`Content-Type: multipart/mixed; boundary=1

--1
Content-Type: text/plain
Content-Disposition: inline

A
--1
Content-Type: multipart/mixed; boundary=2

--2
Content-Type: multipart/alternative; boundary=3

--3
Content-Type: multipart/mixed; boundary=4

--4
Content-Type: text/plain
Content-Disposition: inline

B
--4
Content-Type: image/jpeg
Content-Disposition: inline

C
--4
Content-Type: text/plain
Content-Disposition: inline

D
--4--
--3
Content-Type: multipart/related; boundary=5

--5
Content-Type: text/html

E
--5
Content-Type: image/jpeg

F
--5--
--3--
--2
Content-Type: image/jpeg
Content-Disposition: attachment

G
--2
Content-Type: application/x-excel

H
--2
Content-Type: message/rfc822

Subject: J

J
--2--
--1
Content-Type: text/plain
Content-Disposition: inline

K
--1--
`)
	m := check(t, raw)
	name := func(list []*Part) (s string) {
		for _, p := range list {
			s += strings.TrimSpace(string(raw[p.Offset : p.Offset+p.Length]))[:1]
		}
		return strings.ReplaceAll(s, "S", "J")
	}
	text, html, attached := m.Bodies()
	if name(text) != "ABCDK" || name(html) != "AEK" || name(attached) != "CFGHJ" {
		t.Errorf("text %s, want ABCDK; html %s, want AEK; attachments %s, want CFGHJ", name(text), name(html), name(attached))
	}
	if m.Text != "A\n\nB\n\nD\n\nK\n\n---------- Forwarded message ----------\nSubject: J\n\nJ" || name(m.Attachments) != "CFGH" {
		t.Errorf("text %q, html %q, attachments %s", m.Text, m.HTML, name(m.Attachments))
	}
	page := regexp.MustCompile(`<[^>]*>|\s`).ReplaceAllString(m.HTML, "")
	if want := "AEK----------Forwardedmessage----------Subject:JJ"; page != want {
		t.Errorf("page %s, want %s", page, want)
	}
}
