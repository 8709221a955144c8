package smtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/parley-im/parley"
)

// fake is mailboxes by local part: each name says what becomes of its mail.
type fake struct {
	mu  sync.Mutex
	got []delivery

	hold chan struct{} // when set, DeliverMail waits for it after the content
}

type delivery struct {
	env  parley.Envelope
	body string
}

var errSecret = errors.New("secret cause")

func (f *fake) Recipient(ctx context.Context, address string) (parley.AccountID, error) {
	local, _, _ := strings.Cut(strings.ToLower(address), "@")
	switch local {
	case "nobody":
		return "", parley.E(parley.NoRecipient, "fake", "")
	case "full":
		return "", parley.E(parley.OverQuota, "fake", "")
	case "blocked":
		return "", parley.E(parley.NotPermitted, "fake", "")
	case "faulty":
		return "", errSecret
	case "panicking":
		panic(errSecret)
	case "stuck":
		<-ctx.Done()
		return "", ctx.Err()
	}
	return parley.AccountID("acc_" + local), nil
}

func (f *fake) DeliverMail(ctx context.Context, env parley.Envelope, body io.Reader) []error {
	if env.From == "early@example.org" {
		return make([]error, len(env.To)) // without a look at the content
	}
	content, err := io.ReadAll(body)
	errs := make([]error, len(env.To))
	var kept []parley.EnvelopeTo
	for i, to := range env.To {
		switch errs[i] = err; {
		case err != nil:
		case strings.HasPrefix(to.Address, "locked@"):
			errs[i] = errSecret
		case strings.HasPrefix(to.Address, "choosy@"):
			errs[i] = parley.E(parley.NotPermitted, "fake", "No mail from you.")
		case strings.HasPrefix(to.Address, "strict@"):
			errs[i] = parley.E(parley.BadContent, "fake", "")
		case strings.HasPrefix(to.Address, "away@"):
			errs[i] = parley.E(parley.Unavailable, "fake", "")
		case strings.HasPrefix(to.Address, "crashing@"):
			panic(errSecret)
		case strings.HasPrefix(to.Address, "mute@"):
			return nil
		case strings.HasPrefix(to.Address, "slow@"):
			<-ctx.Done()
			errs[i] = ctx.Err()
		default:
			kept = append(kept, to)
		}
	}
	if f.hold != nil {
		<-f.hold
	}
	if env.To = kept; len(kept) > 0 {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.got = append(f.got, delivery{env, string(content)})
	}
	return errs
}

func (f *fake) deliveries() []delivery {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]delivery(nil), f.got...)
}

func (d delivery) String() string {
	var to []string
	for _, r := range d.env.To {
		to = append(to, fmt.Sprintf("%s=%s", r.Address, r.Account))
	}
	return fmt.Sprintf("<%s> to %s at %s: %q", d.env.From, strings.Join(to, ","), d.env.At.UTC().Format("15:04:05"), d.body)
}

// pipes is a listener whose connections are net.Pipes.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}
