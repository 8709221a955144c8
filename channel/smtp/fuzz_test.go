package smtp

import (
	"bytes"
	"context"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// legal is RFC 5321 4.2 with RFC 2034 3: three digits, every 2yz, 4yz and 5yz
// with an enhanced code of its class, but for greetings and the answer to LHLO;
// printable, at most 512 octets.
var legal = regexp.MustCompile(`^(220 [ -~]*|250-[ -~]+|250 LIMITS RCPTMAX=\d+|354 [ -~]+|` +
	`2[0-5]\d 2\.\d{1,3}\.\d{1,3} [ -~]+|4[0-5]\d 4\.\d{1,3}\.\d{1,3} [ -~]+|5[0-5]\d 5\.\d{1,3}\.\d{1,3} [ -~]+)$`)

// states lead a session to where the lines of a fuzzer go on.
func states() []string {
	const mail = "LHLO c.example\r\nMAIL FROM:<ana@example.org>\r\n"
	const rcpt = mail + "RCPT TO:<bo@mail.example>\r\nRCPT TO:<locked@mail.example>\r\nRCPT TO:<bo@mail.example>\r\n"
	return []string{
		"", "LHLO c.example\r\n", mail, rcpt, rcpt + "DATA\r\n", rcpt + "DATA\r\ntext\r\n.", rcpt + "BDAT 3\r\nabc",
		rcpt + "BDAT 3 LAST\r\nabc", rcpt + "DATA\r\ntext\r\n.\r\n", rcpt + "RSET\r\n", mail + "RCPT TO:<crashing@mail.example>\r\nDATA\r\n",
	}
}

// FuzzSession feeds lines to a session in every state. Whatever they are, every
// reply is legal, the session ends with its client, and what is delivered came
// whole.
func FuzzSession(f *testing.F) {
	for state := range states() {
		for _, lines := range []string{
			"", "QUIT\r\n", "LHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<bo@mail.example>\r\nDATA\r\n.\r\n", "RSET\r\nNOOP\r\n", ".\r\n", "\r\n.\r\n",
			"BDAT 5 LAST\r\nQUIT\r\n", "BDAT 0\r\nBDAT 0\r\nRSET\r\nBDAT 0 LAST\r\n", "BDAT 99999999999999999999\r\n", "BDAT\r\nBDAT x\r\n",
			"DATA\r\n..\n.\r\n.\r\r\n.\r\nEHLO y\r\n", "AUTH PLAIN AGEAYg==\r\nSTARTTLS\r\nVRFY a\r\nHELP\r\nTURN\r\n", "MAIL FROM:<a@b> SIZE=9999 BODY=8BITMIME SMTPUTF8 AUTH=<>\r\n",
			"RCPT TO:<\"\\\"@\"@b>\r\nRCPT TO:<@a:b@c>\r\nRCPT TO:<nobody@x>\r\nRCPT TO:<panicking@x>\r\n", "a\r\nb\r\nc\r\nd\r\ne\r\n", "NOOP " + strings.Repeat("x", 3000) + "\r\n",
		} {
			f.Add(uint8(state), []byte(lines))
		}
	}
	f.Fuzz(func(t *testing.T, state uint8, lines []byte) {
		all := states()
		fake := &fake{}
		var heard string
		synctest.Test(t, func(t *testing.T) { heard = converse(t, fake, all[int(state)%len(all)]+string(lines)) })
		if heard != "" && !strings.HasSuffix(heard, "\r\n") {
			t.Errorf("half a line: %q", heard)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(heard, "\r\n"), "\r\n") {
			if !legal.MatchString(line) || len(line) > 510 {
				t.Errorf("not a reply: %q", line)
			}
		}
		if got, want := len(fake.deliveries()), strings.Count(heard, "> delivered\r\n"); got > want {
			t.Errorf("%d deliveries, %d answers", got, want)
		}
	})
}

// converse says all at once, hears the server out and goes away.
func converse(t *testing.T, f *fake, lines string) string {
	client, conn := net.Pipe()
	pipes := newPipes()
	s := New(Config{Mailboxes: f, Hostname: "mail.example", MaxBytes: 5000})
	served := make(chan error, 1)
	go func() { served <- s.Serve(pipes) }()
	pipes.conns <- conn
	heard := make(chan string)
	go func() {
		var said bytes.Buffer
		io.Copy(&said, client)
		heard <- said.String()
	}()
	client.Write([]byte(lines + "\r\n.\r\nRSET\r\nQUIT\r\n")) // fails when the server ends first
	synctest.Wait()
	client.Close()
	said := <-heard
	if err := s.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	return said
}

// FuzzContent compares the reader with the sentence of RFC 5321 4.5.2, said in
// two replacements over the whole.
func FuzzContent(f *testing.F) {
	for _, content := range []string{
		"", ".\r\n", "a\r\n.\r\n", "..\r\n.\r\n", "\r\r\n.\r\nrest", "a\n.\n.\r\n\r\n.\r\n", "a\r\n.\ra\r\n.\r\n", "a\r\n.\r\r\n.\r\n",
		strings.Repeat("x", maxLine-1) + "\r\n.\r\n", strings.Repeat("x", maxLine) + "\r\n..\r\n.\r\n", strings.Repeat("x", maxLine-2) + "\r\n.\r\n",
	} {
		f.Add([]byte(content), true)
		f.Add([]byte(content), false)
	}
	f.Fuzz(func(t *testing.T, sent []byte, slowly bool) {
		lines := append([]byte("\r\n"), sent...)
		content, rest, whole := bytes.Cut(lines, []byte("\r\n.\r\n"))
		content = bytes.ReplaceAll(append(content, "\r\n"...), []byte("\r\n."), []byte("\r\n"))[2:]

		var from io.Reader = bytes.NewReader(sent)
		if slowly {
			from = iotest.OneByteReader(from)
		}
		s := New(Config{Mailboxes: &fake{}})
		w := newWire(s, readOnly{Reader: from})
		m := w.openMessage()
		got, err := io.ReadAll(m)
		if (err == nil) != whole {
			t.Fatalf("got error %v; whole: %v", err, whole)
		}
		if !whole {
			return
		}
		if !bytes.Equal(got, content) {
			t.Errorf("got %q, want %q", got, content)
		}
		if left, _ := io.ReadAll(w.in); !bytes.Equal(left, rest) {
			t.Errorf("left %q, want %q", left, rest)
		}
	})
}

// readOnly is a connection that is only read.
type readOnly struct {
	io.Reader
	net.Conn
}

func (r readOnly) Read(p []byte) (int, error)      { return r.Reader.Read(p) }
func (r readOnly) SetReadDeadline(time.Time) error { return nil }
