package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/cmd/parley/verb"
	"github.com/parley-im/parley/internal/control"
	"github.com/parley-im/parley/internal/datadir"
)

const (
	// claimWait is how long a command waits for another that has the folder, and
	// for a server that is about to answer.
	claimWait  = 10 * time.Second
	claimPause = 50 * time.Millisecond
	// verbDrain is how long the grains of a command have to flush at its end.
	verbDrain = 30 * time.Second
)

// runVerb runs a verb where the folder is open: in the server that holds it, or
// here.
func runVerb(ctx context.Context, p process, v verb.Verb) error {
	input, err := v.Prepare(p.stdin)
	if err != nil {
		return err
	}
	path, create := v.Where()
	dir, server, err := claim(ctx, datadir.Config{Path: path, Create: create, Holder: v.Name()})
	switch {
	case err != nil:
		return err
	case server != nil:
		return runThere(ctx, p, server, v, input)
	}
	return runHere(ctx, p, dir, v, input)
}

// claim takes the folder or reaches the server that has it. It waits a little
// when neither can be had: another command may be at work, or a server starting.
func claim(ctx context.Context, cfg datadir.Config) (*datadir.Dir, net.Conn, error) {
	for until := time.Now().Add(claimWait); ; {
		dir, err := datadir.Open(cfg)
		if held := (*datadir.HeldError)(nil); !errors.As(err, &held) {
			return dir, nil, err
		}
		if server, dialled := datadir.Dial(cfg.Path); dialled == nil {
			return nil, server, nil
		}
		if time.Now().After(until) {
			return nil, nil, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(claimPause):
		}
	}
}

func runHere(ctx context.Context, p process, dir *datadir.Dir, v verb.Verb, input []byte) error {
	log := slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := system.Open(system.Config{Dir: dir, Settings: config.Default(), Log: log})
	if err != nil {
		return err
	}
	ran := v.Run(ctx, s, verb.IO{In: input, Out: p.stdout, Diag: p.stderr, Terminal: p.terminal})
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), verbDrain)
	defer cancel()
	return errors.Join(ran, s.Close(ending))
}

// remoteError is what the server said is wrong, ready to be shown.
type remoteError struct {
	text string
	code int
}

func (e *remoteError) Error() string { return e.text }

func runThere(ctx context.Context, p process, server net.Conn, v verb.Verb, input []byte) error {
	args, err := json.Marshal(v)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	r := control.Request{Verb: v.Name(), Args: args, Stdin: input, Terminal: p.terminal}
	result, err := control.Call(ctx, server, r, p.stdout, p.stderr)
	if err != nil || result.Code == done {
		return err
	}
	return &remoteError{result.Message, result.Code}
}

// discard closes what was not asked for.
func discard(c io.Closer) { _ = c.Close() }
