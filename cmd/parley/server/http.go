package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/directory"
	"github.com/parley-im/parley/gateway"
	"github.com/parley-im/parley/persistence"
)

// The fits of those who need and those who provide.
var (
	_ gateway.Accounts  = (*directory.Directory)(nil)
	_ gateway.Mailboxes = mailboxes{}
	_ gateway.Rooms     = (*actors.Client)(nil)
)

// mailboxes gives an open blob the gateway's type: neither side may import the other.
type mailboxes struct{ *actors.Client }

func (m mailboxes) OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (gateway.BlobContent, error) {
	c, err := m.Client.OpenBlob(ctx, acc, id)
	return gateway.BlobContent{Attachment: c.Attachment, ReaderAt: c.ReaderAt, Closer: c.Closer}, err
}

// httpDoor serves /v1.
func (s *Server) httpDoor() (door, error) {
	g, err := s.gateway()
	if err != nil {
		return door{}, err
	}
	// No ReadTimeout and no WriteTimeout: uploads and event streams take their
	// time, and the gateway sets deadlines by route.
	server := &http.Server{
		Handler:           g,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelInfo),
	}
	server.RegisterOnShutdown(g.Drain)
	return door{
		name:  "http",
		serve: func() error { return unlessClosed(server.Serve(s.http)) },
		shut: func(ctx context.Context) error {
			err := server.Shutdown(ctx)
			if err != nil {
				err = errors.Join(err, server.Close())
			}
			return err
		},
	}, nil
}

func unlessClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *Server) gateway() (*gateway.Gateway, error) {
	set := s.cfg.Settings.HTTP
	var proxies []netip.Prefix
	for _, network := range set.Proxies {
		p, err := netip.ParsePrefix(network)
		if err != nil {
			return nil, err
		}
		proxies = append(proxies, p)
	}
	return gateway.New(gateway.Config{
		Accounts:  accounts{s.sys.Accounts, s.sys.Mail},
		Mailboxes: mailboxes{s.sys.Mail},
		Rooms:     s.sys.Mail,
		Secret:    s.cfg.Dir.Secret(),
		Log:       s.cfg.Log,
		Metrics:   s.registry,
		Now:       s.cfg.Now,
		Version:   s.cfg.Version,
		Hosts:     set.Hosts,
		Proxies:   proxies,
		MaxUpload: int64(set.MaxUpload),
		Checks:    map[string]func(context.Context) error{"store": s.checkStore, "disk": func(context.Context) error { return s.sys.Store.Writable() }},
	})
}

// checkStore reads a row that does not exist.
func (s *Server) checkStore(ctx context.Context) error {
	_, err := s.sys.Store.Read(ctx, persistence.Account, []byte("none"), persistence.Range{Family: persistence.Arch, Limit: 1})
	return err
}

// accounts closes an account's mailbox with it.
type accounts struct {
	*directory.Directory
	mailboxes *actors.Client
}

// Close ends the account first: what fails after that is refused by the directory.
func (a accounts) Close(ctx context.Context, id parley.AccountID, ifMatch uint64) error {
	if err := a.Directory.Close(ctx, id, ifMatch); err != nil {
		return err
	}
	return a.mailboxes.CloseMailbox(ctx, id)
}
