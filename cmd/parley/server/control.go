package server

import (
	"context"
	"io"

	"github.com/parley-im/parley/cmd/parley/verb"
	"github.com/parley-im/parley/internal/control"
)

// controlDoor runs the administrator's commands. They are cancelled when the
// server drains, as an interrupt does, and say so to who waits for them.
func (s *Server) controlDoor() (door, error) {
	l, err := s.cfg.Dir.Listen()
	if err != nil {
		return door{}, err
	}
	server := control.NewServer(control.Config{Handler: s.runVerb, Log: s.cfg.Log})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	return door{
		name: "control",
		serve: func() error {
			defer close(ended)
			return server.Serve(ctx, l)
		},
		shut: func(wait context.Context) error {
			cancel()
			select {
			case <-ended:
				return nil
			case <-wait.Done():
				return wait.Err()
			}
		},
	}, nil
}

func (s *Server) runVerb(ctx context.Context, r control.Request, out, diag io.Writer) control.Result {
	v, err := verb.Decode(r.Verb, r.Args)
	if err == nil {
		s.cfg.Log.Info("command", "verb", r.Verb)
		err = v.Run(ctx, s.sys, verb.IO{In: r.Stdin, Out: out, Diag: diag, Terminal: r.Terminal})
	}
	if err != nil {
		return control.Result{Code: 1, Message: verb.Message(err)}
	}
	return control.Result{}
}
