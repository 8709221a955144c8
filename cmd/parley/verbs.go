package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"github.com/alecthomas/kong"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/cmd/parley/verb"
	"github.com/parley-im/parley/internal/datadir"
)

const (
	// claimWait is how long a command waits for another that has the folder, and
	// for a server that is about to answer.
	claimWait  = 5 * time.Second
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
	std := verb.IO{In: input, Out: p.stdout, Diag: p.stderr, Terminal: p.terminal}
	path, create := v.Where()
	dir, server, err := claim(ctx, datadir.Config{Path: path, Create: create, Holder: v.Name()})
	switch {
	case err != nil:
		return err
	case server != nil:
		return verb.Send(ctx, server, v, std)
	}
	return runHere(ctx, dir, v, std)
}

// claim takes the folder or reaches the server that has it. It waits a little
// when neither can be had: another command may be at work, or a server starting.
func claim(ctx context.Context, cfg datadir.Config) (*datadir.Dir, net.Conn, error) {
	if cfg.Path == "" { // an unset variable of a shell, and not the folder one is in
		return nil, nil, &verb.UsageError{Text: "--data names no folder"}
	}
	cfg.Path = kong.ExpandPath(cfg.Path)
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

func runHere(ctx context.Context, dir *datadir.Dir, v verb.Verb, std verb.IO) error {
	log := slog.New(slog.NewTextHandler(std.Diag, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := system.Open(system.Config{Dir: dir, Settings: config.Default(), Log: log})
	if err != nil {
		return err
	}
	ran := v.Run(ctx, s, std)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), verbDrain)
	defer cancel()
	return errors.Join(ran, s.Close(ending))
}
