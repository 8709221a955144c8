package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
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

// postCosts speaks in a room of two.
func postCosts(ctx context.Context, cfg CostConfig, fs *figures) error {
	p, err := countPosts(ctx, 2, cfg)
	if err != nil {
		return err
	}
	p.list(fs, "1:1 post", cfg)
	fs.get("1:1 post, alone and cold", "operations").AtMost = mostIsolated
	fs.get(fmt.Sprintf("1:1 post, one of %d", cfg.Messages), "commits").AtMost = mostCommits + mostFlush
	return nil
}

const (
	shortText = "See you at eight at the usual place, I will bring the tickets and something to eat."
	slowly    = 5 * time.Second // between two posts of people who talk
)

// posts is what posts in a room cost: alone between cold grains, one of many that
// follow at once, and one of many at the pace of people.
type posts struct{ alone, many, slow spent }

func (p posts) list(fs *figures, name string, cfg CostConfig) {
	p.alone.list(fs, name+", alone and cold")
	p.many.list(fs, fmt.Sprintf("%s, one of %d", name, cfg.Messages))
	p.slow.list(fs, fmt.Sprintf("%s, one of %d, one each %v", name, cfg.Messages, slowly))
}

// countPosts counts those of one author in a room of everybody. One of many is
// followed by the next when all copies have it: else some would share a commit.
func countPosts(ctx context.Context, size int, cfg CostConfig) (p posts, err error) {
	h, room, err := roomOf(ctx, size)
	if err != nil {
		return p, err
	}
	n := 0
	post := func(int) error {
		n++
		_, err := h.post(ctx, room, 0, fmt.Sprint("post ", n), shortText)
		return err
	}
	if p.alone, err = h.isolated(ctx, post); err != nil {
		return p, errors.Join(err, h.close())
	}
	others, err := h.followAll(ctx, 1, size)
	if err != nil {
		return p, errors.Join(err, h.close())
	}
	spoken := func(i int) error { return errors.Join(post(i), allNext(ctx, others, 1)) }
	p.many, err = h.spend(ctx, cfg.Messages, spoken)
	if err != nil {
		return p, errors.Join(err, h.close())
	}
	p.slow, err = h.spend(ctx, cfg.Messages, func(i int) error {
		h.clock.pass(slowly)
		return spoken(i)
	})
	return p, errors.Join(err, h.close())
}

// roomCosts compares rooms of different sizes.
func roomCosts(ctx context.Context, cfg CostConfig, fs *figures) error {
	var last posts
	for i, size := range cfg.Rooms {
		p, err := countPosts(ctx, size, cfg)
		if err != nil {
			return err
		}
		p.list(fs, fmt.Sprintf("post among %d", size), cfg)
		if i > 0 {
			further := float64(size - cfg.Rooms[i-1])
			name := fmt.Sprintf("each participant beyond %d, ", cfg.Rooms[i-1])
			beyond(fs, name+"alone and cold", further, p.alone, last.alone)
			beyond(fs, name+fmt.Sprintf("one of %d", cfg.Messages), further, p.many, last.many).AtMost = bytesPerReader
			beyond(fs, name+fmt.Sprintf("one of %d, one each %v", cfg.Messages, slowly), further, p.slow, last.slow)
		}
		last = p
	}
	return nil
}

// beyond gives the share of one participant in what a larger room costs more.
func beyond(fs *figures, name string, further float64, large, small spent) *Figure {
	fs.add(name, "commits", (large.per(large.Commits)-small.per(small.Commits))/further)
	fs.add(name, "cells put", (large.per(large.CellsPut)-small.per(small.CellsPut))/further)
	return fs.add(name, "bytes over the body", (large.per(large.BytesPut)-small.per(small.BytesPut))/further-float64(len(shortText)))
}

// roomOf opens a house with one room of everybody in it.
func roomOf(ctx context.Context, size int) (*house, parley.ThreadID, error) {
	h, err := counting(size)
	if err != nil {
		return nil, "", err
	}
	room, err := h.roomOfAll(ctx)
	if err != nil {
		return nil, "", errors.Join(err, h.close())
	}
	return h, room, nil
}
