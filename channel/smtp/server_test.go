package smtp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"runtime"
	"strings"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/prometheus/client_golang/prometheus"
)

// serve listens on a loopback port until the test ends, and then sees that
// nothing is left of it.
func serve(t *testing.T, cfg Config) (addr string, s *Server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = New(cfg)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if stacks := left(); stacks != "" {
			t.Errorf("goroutines left:\n%s", stacks)
		}
	})
	return l.Addr().String(), s
}

// left waits for the goroutines of servers to end, and shows those that do not.
func left() (stacks string) {
	deadline := time.Now().Add(5 * time.Second)
	for time.Now().Before(deadline) {
		stacks = ""
		buf := make([]byte, 1<<20)
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "smtp.(*Server)") || strings.Contains(stack, "smtp.(*session)") {
				stacks += stack + "\n\n"
			}
		}
		if stacks == "" {
			return ""
		}
		runtime.Gosched()
	}
	return stacks
}

// raw is a client that sends bytes as they are.
type raw struct {
	t *testing.T
	*textproto.Conn
}

func dial(t *testing.T, addr string) raw {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	c := raw{t, textproto.NewConn(conn)}
	t.Cleanup(func() { c.Close() })
	c.want(220)
	c.send("LHLO client.example\r\n")
	c.want(250)
	return c
}

func (c raw) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.W, text); err != nil {
		c.t.Fatal(err)
	}
	if err := c.W.Flush(); err != nil {
		c.t.Fatal(err)
	}
}

func (c raw) want(codes ...int) {
	c.t.Helper()
	for _, code := range codes {
		if _, _, err := c.ReadResponse(code); err != nil {
			c.t.Fatalf("got %v, want %d", err, code)
		}
	}
}

// begin is a transaction up to the content.
func (c raw) begin(to ...string) {
	c.t.Helper()
	c.send("MAIL FROM:<ana@example.org>\r\n")
	c.want(250)
	for _, address := range to {
		c.send("RCPT TO:<" + address + ">\r\n")
		c.want(250)
	}
	c.send("DATA\r\n")
	c.want(354)
}

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
	content := "X: " + strings.Repeat("\x00.\r\xff", 2<<20) + "\r\n"
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
	addr, _ := serve(t, Config{Mailboxes: f, MaxBytes: 5 << 20})
	c := dial(t, addr)
	line := strings.Repeat("x", 62) + "\r\n"
	for _, tc := range []struct {
		more string
		code int
	}{{"", 250}, {"\r\n", 552}, {strings.Repeat(line, 1<<15), 552}, {"", 250}} {
		c.begin("bo@mail.example", "cy@mail.example")
		c.send(strings.Repeat(line, 5<<14) + tc.more + ".\r\n")
		c.want(tc.code, tc.code)
	}
	if got := len(f.deliveries()); got != 2 {
		t.Errorf("%d deliveries, want 2", got)
	}
}

func TestThousandRecipients(t *testing.T) {
	f := &fake{}
	addr, _ := serve(t, Config{Mailboxes: f})
	c := dial(t, addr)
	var group bytes.Buffer // RFC 2920: all in one go
	group.WriteString("MAIL FROM:<>\r\n")
	for i := range 1001 {
		fmt.Fprintf(&group, "RCPT TO:<u%d@mail.example>\r\n", i)
	}
	group.WriteString("DATA\r\nto all\r\n.\r\n")
	go c.send(group.String())
	c.want(250)
	for range 1000 {
		c.want(250)
	}
	c.want(452, 354) // RFC 5321 4.5.3.1.10
	for i := range 1000 {
		_, text, err := c.ReadResponse(250)
		if want := fmt.Sprintf("<u%d@mail.example>", i); err != nil || !strings.Contains(text, want) {
			t.Fatalf("answer %d: got %q %v, want %s", i, text, err, want)
		}
	}
	if got := f.deliveries(); len(got) != 1 || len(got[0].env.To) != 1000 || got[0].env.From != "" {
		t.Errorf("got %d deliveries, want one to 1000 from nobody", len(got))
	}
}

func TestClientOfGoSMTP(t *testing.T) {
	f := &fake{}
	addr, _ := serve(t, Config{Mailboxes: f})
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	c := gosmtp.NewClientLMTP(conn)
	defer c.Close()
	if err := c.Mail("ana@example.org", &gosmtp.MailOptions{UTF8: true, Body: gosmtp.Body8BitMIME}); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"bo@mail.example", "choosy@mail.example", "bär@mail.example"} {
		if err := c.Rcpt(to, nil); err != nil {
			t.Fatal(err)
		}
	}
	w, err := c.Data()
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "Subject: hallo\r\n\r\n.grüße\r\n")
	_, err = w.CloseWithLMTPResponse()
	var each gosmtp.LMTPDataError
	if !errors.As(err, &each) || len(each) != 1 || each["choosy@mail.example"].Code != 550 {
		t.Errorf("got %v, want one refusal", err)
	}
	if got := f.deliveries(); len(got) != 1 || got[0].body != "Subject: hallo\r\n\r\n.grüße\r\n" || len(got[0].env.To) != 2 {
		t.Errorf("got %v", got)
	}
	if err := c.Quit(); err != nil {
		t.Error(err)
	}
}

// A panic behind one session is not felt in another that is inside a message.
func TestPanicStaysInItsSession(t *testing.T) {
	f := &fake{}
	reg := prometheus.NewRegistry()
	addr, _ := serve(t, Config{Mailboxes: f, Metrics: reg})
	calm, wild := dial(t, addr), dial(t, addr)
	calm.begin("bo@mail.example")
	calm.send("first half\r\n")
	wild.begin("crashing@mail.example")
	wild.send("boom\r\n.\r\n")
	wild.want(451)
	calm.send("second half\r\n.\r\n")
	calm.want(250)
	wild.begin("cy@mail.example")
	wild.send("calm again\r\n.\r\n")
	wild.want(250)
	if got := len(f.deliveries()); got != 2 {
		t.Errorf("%d deliveries, want 2", got)
	}
	if got := figures(t, reg); got["parley_smtp_panics_total"] != 1 || got["parley_smtp_sessions"] != 2 {
		t.Errorf("got %v, want 1 panic and 2 sessions", got)
	}
}

// figures are the counters and gauges of a registry, by name and label values.
func figures(t *testing.T, reg *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			name := family.GetName()
			for _, label := range m.GetLabel() {
				name += " " + label.GetValue()
			}
			all[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return all
}

func TestReplyCounts(t *testing.T) {
	reg := prometheus.NewRegistry()
	addr, _ := serve(t, Config{Mailboxes: &fake{}, Metrics: reg})
	c := dial(t, addr)
	c.send("RCPT TO:<bo@mail.example>\r\nEHLO x.example\r\n")
	c.want(503, 500)
	c.begin("bo@mail.example", "choosy@mail.example", "locked@mail.example")
	c.send("text\r\n.\r\nQUIT\r\n")
	c.want(250, 550, 451, 221)
	if _, err := c.ReadLine(); err != io.EOF {
		t.Errorf("after QUIT: %v", err)
	}
	got := figures(t, reg)
	for labels, want := range map[string]float64{
		"2xx DATA": 1, "2xx LHLO": 1, "2xx MAIL": 1, "2xx QUIT": 1, "2xx RCPT": 3, "2xx session": 1, "3xx DATA": 1,
		"4xx DATA": 1, "5xx DATA": 1, "5xx EHLO": 1, "5xx RCPT": 1,
	} {
		if got := got["parley_smtp_replies_total "+labels]; got != want {
			t.Errorf("%s: got %v, want %v", labels, got, want)
		}
	}
}
