package main

import "context"

type demoCommand struct {
	Exit bool `help:"Check every step instead of telling it, and exit."`
}

func (c *demoCommand) run(ctx context.Context, p process) error { return nil }
