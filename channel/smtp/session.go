package smtp

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	gosmtp "github.com/emersion/go-smtp"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/errmap"
)

// session is one client's, from LHLO on. go-smtp calls its methods one at a time.
type session struct {
	server *Server
	wire   *wire

	// The transaction (RFC 5321 3.3).
	open bool
	id   string // of the transaction, in the logs
	utf8 bool
	from string
	to   []parley.EnvelopeTo // by order of RCPT, doubles included
	said []string            // the same as go-smtp names them, quotes removed
}

var _ gosmtp.LMTPSession = (*session)(nil)

// Reset ends a transaction, also after a message.
func (s *session) Reset() { *s = session{server: s.server, wire: s.wire} }

// Logout is for sessions that own something.
func (s *session) Logout() error { return nil }

// Mail begins a transaction; from is "" for the null sender.
func (s *session) Mail(from string, opts *gosmtp.MailOptions) error {
	if s.open { // RFC 5321 4.1.4
		return &gosmtp.SMTPError{Code: 503, EnhancedCode: gosmtp.EnhancedCode{5, 5, 1}, Message: "A transaction is open already."}
	}
	if err := checkAddress(from, true, opts.UTF8); err != nil {
		return err
	}
	s.open, s.id, s.utf8, s.from = true, parley.NewRequest(), opts.UTF8, spelled(from)
	return nil
}

// Rcpt finds the account of a recipient.
func (s *session) Rcpt(to string, _ *gosmtp.RcptOptions) error {
	if err := checkAddress(to, false, s.utf8); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(parley.WithRequest(s.server.life, s.id), s.server.cfg.Timeouts.Lookup)
	defer cancel()
	account, err := s.recipient(ctx, spelled(to))
	if err != nil {
		s.log("recipient", "", err)
		return errmap.SMTP(err)
	}
	s.to = append(s.to, parley.EnvelopeTo{Address: spelled(to), Account: account})
	s.said = append(s.said, to)
	return nil
}

func (s *session) recipient(ctx context.Context, to string) (account parley.AccountID, err error) {
	defer s.server.recovered(&err)
	return s.server.cfg.Mailboxes.Recipient(ctx, to)
}

// Data is never called: with LMTP, go-smtp prefers LMTPData.
func (s *session) Data(io.Reader) error {
	return errmap.SMTP(parley.E(parley.Internal, "smtp.data", ""))
}

// recovered, deferred, makes an error of a panic, so that it costs this message
// its answer and no other session anything.
func (s *Server) recovered(err *error) {
	if p := recover(); p != nil {
		s.metrics.panics.Inc()
		*err = &parley.Error{Code: parley.Internal, Op: "smtp.session", Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
	}
}

// log tells what the client is not told. A refusal that is the client's matter
// needs no line here, it has its reply.
func (s *session) log(verb string, account parley.AccountID, err error) {
	reply, refused := errmap.SMTP(err).(*gosmtp.SMTPError)
	if !refused || !reply.Temporary() {
		return
	}
	log := s.server.cfg.Log.With("kind", "smtp", "request", s.id, "verb", verb, "mailbox", string(account), "error", err)
	switch errmap.Of(err) {
	case parley.Internal, parley.DiskFull, parley.Poisoned:
		log.Error("mail is put off")
	default:
		log.Info("mail is put off")
	}
}
