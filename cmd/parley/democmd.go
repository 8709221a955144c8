package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/demo"
)

// demoCommand plays the demo.
type demoCommand struct {
	Exit bool `help:"Check every step instead of telling it, and exit."`
}

func (c *demoCommand) run(ctx context.Context, p process) error {
	log := slog.New(handler(p.stderr, config.Log{Level: slog.LevelWarn, Format: "text"}))
	err := demo.Run(ctx, demo.Config{Out: p.stdout, Check: c.Exit, Log: log, Version: version()})
	if !c.Exit && errors.Is(err, context.Canceled) {
		return nil // Ctrl-C in the middle of the story
	}
	return err
}
