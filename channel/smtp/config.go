package smtp

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
)

// Mailboxes is what the door needs of the mailboxes. actors.Client provides it;
// tests use a map.
type Mailboxes interface {
	// Recipient finds who gets mail for an address, and refuses at once what
	// would be refused after the message: NoRecipient, OverQuota.
	Recipient(ctx context.Context, address string) (parley.AccountID, error)
	// DeliverMail reads body to its end and answers for each of env.To, in order;
	// nil says that this copy is durable. When body ends in an error, nothing may
	// be delivered. body must not be read after the return.
	DeliverMail(ctx context.Context, env parley.Envelope, body io.Reader) []error
}

// Config is what a Server is made of.
type Config struct {
	Mailboxes Mailboxes             // required
	Log       *slog.Logger          // nil discards
	Metrics   prometheus.Registerer // nil registers nowhere
	Now       func() time.Time      // of envelopes and measurements; nil means time.Now
	Hostname  string                // said in greetings; "" means localhost

	MaxBytes      int64 // of a message, dot-stuffing undone; 0 means 64 MiB
	MaxRecipients int   // of a message; 0 means 1000, less than 100 means 100
	MaxSessions   int   // at once; 0 means 1000
	Timeouts      Timeouts
}

// Timeouts end waits. The least values of RFC 5321 4.5.3.2 are those of clients,
// which wait for us; 4.5.3.2.7 is the server's own.
type Timeouts struct {
	Command time.Duration // for a whole command line; 0 means 5 min
	Content time.Duration // for the next bytes of a message; 0 means 5 min
	Message time.Duration // for all of a message; 0 means 1 h
	Drain   time.Duration // for the next bytes of a message while the server shuts down; 0 means 1 s
	Lookup  time.Duration // of a recipient; 0 means 1 min
	Commit  time.Duration // from the end of a message to the answers; 0 means 5 min
	Write   time.Duration // for the client to take replies; 0 means 1 min
}

// minRecipients is RFC 5321 4.5.3.1.8: at least 100 recipients.
const minRecipients = 100

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Hostname = cmp.Or(c.Hostname, "localhost")
	c.MaxBytes = cmp.Or(c.MaxBytes, 64<<20)
	c.MaxRecipients = max(cmp.Or(c.MaxRecipients, 1000), minRecipients)
	c.MaxSessions = cmp.Or(c.MaxSessions, 1000)
	c.Timeouts = c.Timeouts.withDefaults()
	return c
}

func (t Timeouts) withDefaults() Timeouts {
	return Timeouts{
		Command: cmp.Or(t.Command, 5*time.Minute),
		Content: cmp.Or(t.Content, 5*time.Minute),
		Message: cmp.Or(t.Message, time.Hour),
		Drain:   cmp.Or(t.Drain, time.Second),
		Lookup:  cmp.Or(t.Lookup, time.Minute),
		// RFC 5321 4.5.3.2.6: clients wait ten minutes for the answer to the dot.
		Commit: cmp.Or(t.Commit, 5*time.Minute),
		Write:  cmp.Or(t.Write, time.Minute),
	}
}
