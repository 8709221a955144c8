package bench

import (
	"context"
	"errors"
	"fmt"
)

// CostConfig says how many messages the amortised costs are taken over.
type CostConfig struct {
	Messages int   // to one mailbox or room; 0 means 100
	Rooms    []int // participants of the rooms; nil means 3 and 50
}

func (c CostConfig) withDefaults() CostConfig {
	if c.Messages == 0 {
		c.Messages = 100
	}
	if c.Rooms == nil {
		c.Rooms = []int{3, 50}
	}
	return c
}

// spent is what n messages cost a store.
type spent struct {
	entry
	n float64
}

// spend counts the operations of n messages from cold grains to cold grains: the
// loading of their rows, the flush when they end, and reminders included.
func (h *house) spend(ctx context.Context, n int, work func(i int) error) (spent, error) {
	if err := h.cold(ctx); err != nil {
		return spent{}, err
	}
	before := h.store.now()
	for i := range n {
		if err := work(i); err != nil {
			return spent{}, err
		}
	}
	err := h.cold(ctx)
	return spent{h.store.now().since(before), float64(n)}, err
}

// isolated is the worst of a few messages, each between cold grains.
func (h *house) isolated(ctx context.Context, work func(i int) error) (worst spent, err error) {
	for i := range 5 {
		got, err := h.spend(ctx, 1, func(int) error { return work(i) })
		if err != nil {
			return worst, err
		}
		if got.Ops() > worst.Ops() {
			worst = got
		}
	}
	return worst, nil
}

func (s spent) per(n int64) float64 { return float64(n) / s.n }

// list adds what one message costs.
func (s spent) list(fs *figures, name string) {
	fs.add(name, "operations", s.per(s.Ops()))
	fs.add(name, "commits", s.per(s.Commits))
	fs.add(name, "cells put", s.per(s.CellsPut))
	fs.add(name, "bytes put", s.per(s.BytesPut))
}

// Costs counts what messages ask of the store.
func Costs(ctx context.Context, cfg CostConfig) ([]Figure, error) {
	cfg = cfg.withDefaults()
	fs := &figures{group: "store operations of a message"}
	for _, measure := range []func(context.Context, CostConfig, *figures) error{mailCosts, postCosts, roomCosts} {
		if err := measure(ctx, cfg, fs); err != nil {
			return nil, err
		}
	}
	return fs.all, nil
}

// mailCosts brings mail to mailboxes that have some.
func mailCosts(ctx context.Context, cfg CostConfig, fs *figures) error {
	s := newStationery()
	for who, kind := range []struct {
		name  string
		write func(int) letter
	}{{"small mail in", s.letter}, {"mail in over 32 KiB", s.largeLetter}} {
		h, err := counting(2)
		if err != nil {
			return err
		}
		n := 0
		deliver := func(int) error {
			n++
			return h.receive(ctx, who, kind.write(n).raw())
		}
		alone, err1 := h.isolated(ctx, deliver)
		many, err2 := h.spend(ctx, cfg.Messages, deliver)
		alone.list(fs, kind.name+", alone and cold")
		many.list(fs, fmt.Sprintf("%s, one of %d", kind.name, cfg.Messages))
		if err := errors.Join(err1, err2, h.close()); err != nil {
			return err
		}
	}
	return nil
}

// Budgets: what a message may cost.
const (
	mostIsolated   = 8   // store operations of an isolated 1:1 message
	mostCommits    = 3   // of a 1:1 message among others, and the flush spread over 100
	mostFlush      = 0.1 // commits of that flush for one of 100 messages
	bytesPerReader = 600 // of a further participant, over the body
)
