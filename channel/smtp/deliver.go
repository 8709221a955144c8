package smtp

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	gosmtp "github.com/emersion/go-smtp"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/errmap"
)

// delivered is RFC 2033 4.2's good answer for one recipient; go-smtp puts the
// recipient before the text.
var delivered = gosmtp.SMTPError{Code: 250, EnhancedCode: gosmtp.EnhancedCode{2, 0, 0}, Message: "delivered"}

// LMTPData receives a message and answers once per RCPT, in order. The content
// comes from the wire; what go-smtp would read is only its end.
func (s *session) LMTPData(_ io.Reader, status gosmtp.StatusCollector) error {
	m := s.wire.openMessage()
	errs := s.deliver(m)
	m.drain()
	s.settle(m, errs)
	for i, to := range s.said {
		answer := errmap.SMTP(errs[i])
		if answer == nil {
			answer = &delivered
		}
		status.SetStatus(to, answer)
	}
	return nil
}

// settle closes the books on a message.
func (s *session) settle(m *message, errs []error) {
	if m.end != io.EOF {
		s.server.metrics.discarded.Inc()
		s.wire.silent = true // nobody waits for answers (RFC 5321 4.1.1.5: RSET discards)
		return
	}
	s.server.metrics.bytes.Observe(float64(m.size))
	s.server.metrics.delivery.Observe(s.server.cfg.Now().Sub(m.ended).Seconds())
	for i := range errs {
		if m.tooLarge() { // whatever was made of the part that was shown
			errs[i] = parley.E(parley.TooLarge, "smtp.message", "")
		} else if errs[i] == nil && !m.told { // what was not read to its end cannot be durable
			errs[i] = parley.E(parley.Internal, "smtp.message", "")
		}
		s.log("deliver", s.to[i].Account, errs[i])
	}
}

// deliver hands the message over, to each recipient once, and gives an answer
// for each RCPT.
func (s *session) deliver(m *message) []error {
	ctx, cancel := s.patience(m)
	defer cancel()
	to, place := distinct(s.to)
	once, err := s.hand(ctx, parley.Envelope{From: s.from, To: to, At: s.server.cfg.Now()}, m)
	if err == nil && len(once) != len(to) {
		err = fmt.Errorf("smtp: %d answers for %d recipients", len(once), len(to))
	}
	errs := make([]error, len(s.to))
	for i := range errs {
		if err != nil {
			errs[i] = err
		} else {
			errs[i] = once[place[i]]
		}
	}
	return errs
}

func (s *session) hand(ctx context.Context, env parley.Envelope, body io.Reader) (errs []error, err error) {
	defer s.server.recovered(&err)
	return s.server.cfg.Mailboxes.DeliverMail(ctx, env, body), nil
}

// patience is how long a delivery may take. After the end of the message the
// client waits ten minutes at most (RFC 5321 4.5.3.2.6); an answer that comes too
// late makes it send again what we have.
func (s *session) patience(m *message) (context.Context, context.CancelFunc) {
	limits := s.server.cfg.Timeouts
	ctx, cancel := context.WithTimeout(parley.WithRequest(s.server.life, s.id), limits.Message+limits.Commit)
	late := time.AfterFunc(limits.Message+limits.Commit, cancel)
	m.onEnd = func() { late.Reset(limits.Commit) }
	return ctx, func() { late.Stop(); cancel() }
}

// distinct drops recipients that were named before, and says where each RCPT
// finds its answer. Aliases of one account stay: each is an arrival of its own.
func distinct(all []parley.EnvelopeTo) (to []parley.EnvelopeTo, place []int) {
	seen := map[parley.EnvelopeTo]int{}
	place = make([]int, len(all))
	for i, r := range all {
		key := parley.EnvelopeTo{Address: strings.ToLower(r.Address), Account: r.Account}
		first, again := seen[key]
		if !again {
			first = len(to)
			seen[key] = first
			to = append(to, r)
		}
		place[i] = first
	}
	return to, place
}
