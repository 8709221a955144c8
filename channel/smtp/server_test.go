package smtp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/prometheus/client_golang/prometheus"
)

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
	go func() { io.WriteString(c.W, group.String()); c.W.Flush() }() // what fails is missed in the answers
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
