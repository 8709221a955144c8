package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-im/parley"
)

// ReadConfig says how large the mailboxes are that are read.
type ReadConfig struct {
	Messages []int // of each mailbox; nil means 1,000 and 20,000
	Page     int   // the further page; 0 means 20
}

func (c ReadConfig) withDefaults() ReadConfig {
	if c.Messages == nil {
		c.Messages = []int{1000, 20000}
	}
	if c.Page == 0 {
		c.Page = 20
	}
	return c
}

// reading is a mailbox that is full and what is looked at in it.
type reading struct {
	*house
	messages int
	paper    stationery
	pageKey  string          // where the further page begins
	thread   parley.ThreadID // the one that is opened and read
}

// Reads counts what a look at a mailbox reads when no activation holds it, and
// again when one does.
func Reads(ctx context.Context, cfg ReadConfig) ([]Figure, error) {
	cfg = cfg.withDefaults()
	fs := &figures{group: "block reads of a mailbox"}
	for i, n := range cfg.Messages {
		r, err := fill(ctx, n, cfg.Page)
		if err != nil {
			return nil, err
		}
		for _, g := range glances(cfg.Page) {
			if err := r.count(ctx, g, fs); err != nil {
				return nil, errors.Join(fmt.Errorf("%s: %w", g.name, err), r.close())
			}
		}
		if err := r.close(); err != nil {
			return nil, err
		}
		if i > 0 {
			fs.grown(cfg, cfg.Messages[i-1], n)
		}
	}
	return fs.all, nil
}

// grown holds the block reads of the larger mailbox to those of the smaller one:
// one more for each list that is looked at, as if all of them had become a level
// deeper.
func (fs *figures) grown(cfg ReadConfig, small, large int) {
	for _, g := range glances(cfg.Page) {
		was := fs.get(g.of(small), "blocks, cold").Value
		fs.get(g.of(large), "blocks, cold").AtMost = was + float64(g.more)
	}
}

// fill brings n mails to one mailbox and looks up what the glances need.
func fill(ctx context.Context, n, page int) (*reading, error) {
	h, err := counting(1)
	if err != nil {
		return nil, err
	}
	r := &reading{house: h, messages: n, paper: newStationery()}
	for _, l := range r.paper.letters(1, n) {
		if err := h.receive(ctx, 0, l.raw()); err != nil {
			return nil, errors.Join(err, h.close())
		}
	}
	err = r.leaf(ctx, page)
	if err != nil {
		err = errors.Join(err, h.close())
	}
	return r, err
}

// leaf goes through the pages up to the one before page.
func (r *reading) leaf(ctx context.Context, page int) error {
	for i := range page - 1 {
		l, err := r.inbox(ctx, r.pageKey)
		if err != nil {
			return err
		}
		if l.Next == "" {
			break // the last page of a small mailbox
		}
		r.pageKey = l.Next
		if i == 0 {
			r.thread = l.Items[len(l.Items)/2].ID
		}
	}
	return nil
}

func (r *reading) inbox(ctx context.Context, after string) (parley.Listing[parley.Thread], error) {
	return r.Threads(ctx, personID(0), parley.ThreadQuery{Folder: parley.Inbox, Page: parley.Page{After: after}}, 0)
}

// count looks cold, then warm.
func (r *reading) count(ctx context.Context, g glance, fs *figures) error {
	size := r.messages
	if err := r.cold(ctx); err != nil {
		return err
	}
	before := r.store.now()
	if err := g.do(ctx, r); err != nil {
		return err
	}
	cold := r.store.now().since(before)
	before = r.store.now()
	if err := g.do(ctx, r); err != nil {
		return err
	}
	warm := r.store.now().since(before)
	name := g.of(size)
	fs.add(name, "blocks, cold", float64(cold.Blocks))
	fs.add(name, "reads, cold", float64(cold.Reads))
	fs.add(name, "cells read, cold", float64(cold.CellsRead))
	fs.add(name, "reads, again", float64(warm.Reads))
	return nil
}
