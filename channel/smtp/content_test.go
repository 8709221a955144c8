package smtp

import (
	"fmt"
	"strings"
	"testing"
)

// RFC 5321 4.1.1.4 and 2.3.8: CRLF.CRLF and nothing like it ends a message. Each
// ending is followed by what would be a second, forged message; it must come as
// content of the first.
func TestNothingElseEndsAMessage(t *testing.T) {
	const forged = "MAIL FROM:<boss@mail.example>\r\nRCPT TO:<bo@mail.example>\r\nDATA\r\nforged\r\n"
	for _, ending := range []string{
		"\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r.\r\n", "\r\n.\r", "\n.\r", "\r\n\x00.\r\n",
		"\r\n.\r\x00\n", "\r\n.\x00\r\n", "\r\n \r\n", "\r\n. \r\n", "\n\r.\r\n", "\n\n.\r\n", "\r\n..\r\n", "\r\n.\r\r\n", "\r\n\r.\r\n",
	} {
		t.Run(fmt.Sprintf("%q", ending), func(t *testing.T) {
			f := &fake{}
			addr, _ := serve(t, Config{Mailboxes: f})
			c := dial(t, addr)
			c.begin("bo@mail.example")
			content := "Subject: first\r\n\r\ntext" + ending + forged
			c.send(content + ".\r\nQUIT\r\n")
			c.want(250, 221)
			want := strings.ReplaceAll(content, "\r\n.", "\r\n")
			if got := f.deliveries(); len(got) != 1 || got[0].body != want {
				t.Errorf("got %v, want one message %q", got, want)
			}
		})
	}
}

// RFC 5321 4.5.3.1.6 bounds lines of text at 1000 octets; what comes is taken
// all the same, since refusing would lose mail that others take.
func TestALineOfMegabytes(t *testing.T) {
	f := &fake{}
	addr, _ := serve(t, Config{Mailboxes: f})
	c := dial(t, addr)
	c.begin("bo@mail.example")
	content := "X: " + strings.Repeat("\x00.\r\xff", 1<<20) + "\r\n"
	c.send(content + ".\r\n")
	c.want(250)
	if got := f.deliveries(); len(got) != 1 || got[0].body != content {
		t.Errorf("%d messages, want the one", len(got))
	}
}

// RFC 1870 6.3: exactly the size is taken, one octet more is not; the server
// reads on to the end and the session goes on.
func TestSizeThatCame(t *testing.T) {
	f := &fake{}
	addr, _ := serve(t, Config{Mailboxes: f, MaxBytes: 1 << 18})
	c := dial(t, addr)
	line := strings.Repeat("x", 62) + "\r\n"
	for _, tc := range []struct {
		more string
		code int
	}{{"", 250}, {"\r\n", 552}, {strings.Repeat(line, 1<<13), 552}, {"", 250}} {
		c.begin("bo@mail.example", "cy@mail.example")
		c.send(strings.Repeat(line, 1<<12) + tc.more + ".\r\n")
		c.want(tc.code, tc.code)
	}
	if got := len(f.deliveries()); got != 2 {
		t.Errorf("%d deliveries, want 2", got)
	}
}
