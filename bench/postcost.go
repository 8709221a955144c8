package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
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
