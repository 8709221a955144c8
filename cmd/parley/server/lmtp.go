package server

import (
	"context"
	"errors"
	"os"

	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/channel/smtp"
)

var _ smtp.Mailboxes = (*actors.Client)(nil)

// lmtpDoor takes mail, if there is an address for it.
func (s *Server) lmtpDoor() (door, error) {
	if s.lmtp == nil {
		return door{}, nil
	}
	set := s.cfg.Settings.LMTP
	if set.Hostname == "" {
		name, err := os.Hostname()
		if err != nil {
			return door{}, err
		}
		set.Hostname = name
	}
	server := smtp.New(smtp.Config{
		Mailboxes: s.sys.Mail,
		Log:       s.cfg.Log,
		Metrics:   s.registry,
		Now:       s.cfg.Now,
		Hostname:  set.Hostname,
		MaxBytes:  int64(set.MaxMessage),
	})
	return door{
		name: "lmtp",
		serve: func() error {
			if err := server.Serve(s.lmtp); !errors.Is(err, smtp.ErrServerClosed) {
				return err
			}
			return nil
		},
		shut: func(ctx context.Context) error { return server.Shutdown(ctx) },
	}, nil
}
