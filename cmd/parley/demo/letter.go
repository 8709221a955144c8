package demo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
)

// letter is a mail from outside, on its way to the LMTP door.
type letter struct {
	from, subject, id, inReplyTo string
	to                           []string
	text                         []string // lines
}

// raw is the message as it goes over the wire (RFC 5322: CRLF).
func (l letter) raw(at time.Time) string {
	address := l.from
	if _, rest, ok := strings.Cut(l.from, "<"); ok {
		address = strings.TrimSuffix(rest, ">")
	}
	_, domain, _ := strings.Cut(address, "@")
	lines := []string{
		"Received: from " + domain + " by mx.example.org with ESMTP; " + at.Format(time.RFC1123Z),
		"From: " + l.from,
		"To: " + strings.Join(l.to, ", "),
		"Subject: " + l.subject,
		"Date: " + at.Format(time.RFC1123Z),
		"Message-ID: <" + l.id + ">",
	}
	if l.inReplyTo != "" {
		lines = append(lines, "In-Reply-To: <"+l.inReplyTo+">")
	}
	lines = append(lines, "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "")
	return strings.Join(append(lines, l.text...), "\r\n") + "\r\n"
}

// deliver hands a message to the LMTP door, as the mail server in front does. It
// returns the reply for each recipient in order, nil for one that has it.
func (h *house) deliver(ctx context.Context, from string, to []string, raw string) ([]error, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", h.ready.LMTP)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	c := smtp.NewClientLMTP(conn)
	if err := errors.Join(c.Hello("mx.example.org"), c.Mail(from, nil)); err != nil {
		return nil, err
	}
	replies := make([]error, len(to))
	taken := map[string]int{}
	for i, address := range to {
		if replies[i] = c.Rcpt(address, nil); replies[i] == nil {
			taken[address] = i
		}
	}
	if len(taken) == 0 {
		return replies, c.Quit()
	}
	data, err := c.Data()
	if err != nil {
		return nil, err
	}
	if _, err := data.Write([]byte(raw)); err != nil {
		return nil, err
	}
	var refused smtp.LMTPDataError
	if _, err := data.CloseWithLMTPResponse(); errors.As(err, &refused) {
		for address, reply := range refused {
			replies[taken[address]] = reply
		}
	} else if err != nil {
		return nil, fmt.Errorf("deliver: %w", err)
	}
	return replies, c.Quit()
}
