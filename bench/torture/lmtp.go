package torture

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"time"

	"github.com/parley-im/parley"
)

// DeliverMail implements Door: one session of LMTP (RFC 2033), with an answer for
// each recipient. What is not answered may have happened.
func (d *HTTPDoor) DeliverMail(ctx context.Context, env parley.Envelope, body io.Reader) []error {
	errs := make([]error, len(env.To))
	for i := range errs {
		errs[i] = away(fmt.Errorf("not answered"))
	}
	_, at := d.Where()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", at)
	if err != nil {
		return errs
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(playTime))
	s := &lmtp{textproto.NewConn(conn)}
	if s.say("") == nil {
		s.deliver(env, body, errs)
	}
	return errs
}

// lmtp is one session.
type lmtp struct{ *textproto.Conn }

// say sends a line, unless it is the greeting that is waited for, and wants 2xx or 354.
func (s *lmtp) say(format string, args ...any) error {
	if format != "" {
		if err := s.PrintfLine(format, args...); err != nil {
			return err
		}
	}
	return s.answer()
}

func (s *lmtp) answer() error {
	code, text, err := s.ReadResponse(0)
	switch {
	case err != nil:
		return away(err)
	case code < 400:
		return nil
	case code < 500:
		return away(fmt.Errorf("%d %s", code, text))
	case code == 550:
		return parley.E(parley.NoRecipient, "torture.lmtp", text)
	}
	return parley.E(parley.TooLarge, "torture.lmtp", fmt.Sprint(code, " ", text))
}

func (s *lmtp) deliver(env parley.Envelope, body io.Reader, errs []error) {
	if s.say("LHLO postman.else.where") != nil || s.say("MAIL FROM:<%s>", env.From) != nil {
		return
	}
	var taken []int
	for i, to := range env.To {
		if errs[i] = s.say("RCPT TO:<%s>", to.Address); errs[i] == nil {
			taken = append(taken, i)
		}
	}
	if len(taken) == 0 {
		return
	}
	err := s.say("DATA")
	if err == nil {
		err = s.send(body)
	}
	for _, i := range taken {
		if errs[i] = err; err == nil {
			errs[i] = s.answer()
		}
	}
}

// send writes the message with its dots doubled (RFC 5321 4.5.2).
func (s *lmtp) send(body io.Reader) error {
	w := s.DotWriter()
	if _, err := bufio.NewReader(body).WriteTo(w); err != nil {
		return away(err)
	}
	if err := w.Close(); err != nil {
		return away(err)
	}
	return nil
}
