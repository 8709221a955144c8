package demo

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/server"
	"github.com/parley-im/parley/cmd/parley/verb"
	"github.com/parley-im/parley/internal/datadir"
)

// house is the server that the play is on.
type house struct {
	cfg      Config
	dir      string
	settings config.Config
	ready    server.Ready
	stop     context.CancelFunc
	ended    chan error
}

func newHouse(dir string, cfg Config) *house {
	set := config.Default()
	set.Data, set.HTTP.Listen, set.LMTP.Listen, set.LMTP.Hostname = dir, "127.0.0.1:0", "127.0.0.1:0", "mail.example.org"
	return &house{cfg: cfg, dir: dir, settings: set}
}

// open starts a server and returns when it answers.
func (h *house) open() error {
	dir, err := datadir.Open(datadir.Config{Path: h.dir, Create: true, Holder: "demo"})
	if err != nil {
		return err
	}
	s, err := server.Open(server.Config{Dir: dir, Settings: h.settings, Log: h.cfg.Log, Version: h.cfg.Version})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan server.Ready, 1), make(chan error, 1)
	go func() { ended <- s.Run(ctx, func(r server.Ready) error { ready <- r; return nil }) }()
	select {
	case h.ready = <-ready:
		h.stop, h.ended = stop, ended
		return nil
	case err := <-ended:
		stop()
		return errors.Join(err, errors.New("the server ended at once"))
	}
}

// close drains the server, as SIGTERM would.
func (h *house) close() error {
	if h.stop == nil {
		return nil
	}
	h.stop()
	h.stop = nil
	return <-h.ended
}

func (h *house) url() string { return "http://" + h.ready.HTTP + "/v1" }

// run runs an administrator's command as the command line does while a server
// holds the folder.
func (h *house) run(ctx context.Context, v verb.Verb, input string) (string, error) {
	conn, err := datadir.Dial(h.dir)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = verb.Send(ctx, conn, v, verb.IO{In: []byte(input), Out: &out, Diag: io.Discard})
	return string(bytes.TrimSpace(out.Bytes())), err
}
