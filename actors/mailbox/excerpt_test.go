package mailbox_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/parley-im/parley/actors/mailbox"
)

func TestExcerpt(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"", ""},
		{" \r\n\t", ""},
		{"one\n\n two\tthree ", "one two three"},
		{"a\xff\xfeb", "ab"},
		{strings.Repeat("x", 140), strings.Repeat("x", 140)},
		{strings.Repeat("x", 141), strings.Repeat("x", 137) + "…"},
		{strings.Repeat("ü", 100), strings.Repeat("ü", 68) + "…"},
		{strings.Repeat("x", 136) + " " + strings.Repeat("y", 20), strings.Repeat("x", 136) + "…"},
		{strings.Repeat(" ", 2000) + "beyond what is looked at", ""},
	} {
		if got := mailbox.Excerpt(tc.in); got != tc.want {
			t.Errorf("%.30q: got %q, want %q", tc.in, got, tc.want)
		}
	}
}

// An excerpt is one line of 140 bytes at most, and its own excerpt.
func TestExcerptOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text") + strings.Repeat(rapid.String().Draw(t, "again"), 50)
		got := mailbox.Excerpt(in)
		if len(got) > 140 || !utf8.ValidString(got) || strings.ContainsAny(got, "\r\n\t") || mailbox.Excerpt(got) != got {
			t.Fatalf("%q: got %q", in, got)
		}
	})
}

// What is stored of a mail that could not be decided is an unreadable message
// with its raw bytes, in a thread of its own, and once.
func TestOpaque(t *testing.T) {
	s := newSolo(t)
	s.ask(letter{id: "a", from: "ana@out", at: s.now}.command())
	bad := letter{id: "b", replies: []string{"a"}, from: "ana@out", text: "raw", files: []string{"f"}, at: s.now}.command()
	for _, again := range []bool{false, true} {
		d, err := s.whole.Decide(bad.Opaque(), s.now)
		if err != nil || d.Reply.Filed == again || d.Reply.Replayed != again || (len(d.Raw) == 1) == again {
			t.Fatalf("got %+v, %v", d, err)
		}
		r := s.ask(bad.Opaque())
		m, err := s.whole.Message(r.Messages[0])
		if err != nil || m.Thread != bad.NewThread || m.Subject != "(unreadable message)" || !m.Body.InLog || len(m.Attachments) > 0 {
			t.Errorf("got %+v, %v", m, err)
		}
	}
	s.store()
	s.settle()
}
