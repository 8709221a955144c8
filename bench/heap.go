package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// HeapConfig says how many mailboxes are held, and how large they are.
type HeapConfig struct {
	Dir      string // required: a folder for the rows
	Held     int    // 0 means 10,000
	Messages int    // in each; 0 means 1,000
}

func (c HeapConfig) withDefaults() HeapConfig {
	if c.Held == 0 {
		c.Held = 10000
	}
	if c.Messages == 0 {
		c.Messages = 1000
	}
	return c
}

const (
	heapCache   = 32 << 20
	heapWarm    = 2000 // mailboxes read to fill the cache
	heapCallers = 8
)

// Heap gives the bytes of heap for each mailbox that an activation holds: when
// its newest page was read, and when a mail has come after that.
func Heap(ctx context.Context, cfg HeapConfig) ([]Figure, error) {
	cfg = cfg.withDefaults()
	fs := &figures{group: fmt.Sprintf("%d mailboxes of %d messages held", cfg.Held, cfg.Messages)}
	cells, err := model(ctx, cfg)
	if err != nil {
		return nil, err
	}
	h, err := open(houseConfig{fs: onDisk(), dir: filepath.Join(cfg.Dir, "heap"), people: cfg.Held, noSync: true, idle: 24 * time.Hour, cache: heapCache})
	if err != nil {
		return nil, err
	}
	err = h.copies(ctx, cells, cfg.Held)
	if err == nil {
		err = h.weigh(ctx, cfg, fs)
	}
	return fs.all, errors.Join(err, h.close())
}

// model fills one mailbox and gives the cells of its row that a reader of its
// newest page and a mail after that look at. What an activation holds depends on
// no other: its log and its older pages need not be copied ten thousand times.
func model(ctx context.Context, cfg HeapConfig) (map[string]persistence.Cell, error) {
	r, err := fill(ctx, cfg.Messages, 2)
	if err != nil {
		return nil, err
	}
	cells := map[string]persistence.Cell{}
	var mu sync.Mutex // guards cells: rows are read beside the grains
	r.store.onRead(func(t persistence.Table, c persistence.Cell) {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := cells[cellName(c)]; !ok && t == persistence.Mailbox {
			cells[cellName(c)] = c
		}
	})
	err = r.cold(ctx)
	if err == nil {
		_, err = r.inbox(ctx, "")
	}
	if err == nil {
		err = r.receive(ctx, 0, lastLetter().raw())
	}
	r.store.onRead(nil)
	return cells, errors.Join(err, r.close())
}

func cellName(c persistence.Cell) string { return string(c.Family) + string(c.Qualifier) }

// lastLetter is the mail that comes to everybody.
func lastLetter() letter { return newStationery().letter(1_000_000) }

// copies gives everybody the cells, and reads some back: the store's own memory
// is then as large as it gets.
func (h *house) copies(ctx context.Context, cells map[string]persistence.Cell, n int) error {
	row := make([]persistence.Cell, 0, len(cells))
	for _, c := range cells {
		row = append(row, c)
	}
	for i := range n {
		if err := h.inner.Put(ctx, persistence.Mailbox, parley.RowKey(string(personID(i))), row); err != nil {
			return err
		}
	}
	return h.everybody(ctx, min(n, heapWarm), func(ctx context.Context, who int) error {
		all := persistence.Range{Family: persistence.Meta, Limit: len(row)}
		_, err := h.inner.Read(ctx, persistence.Mailbox, parley.RowKey(string(personID(who))), all)
		return err
	})
}

func (h *house) weigh(ctx context.Context, cfg HeapConfig, fs *figures) error {
	accounted, err := h.accounted(ctx)
	if err != nil {
		return err
	}
	before := heap()
	err = h.everybody(ctx, cfg.Held, func(ctx context.Context, who int) error {
		l, err := h.Threads(ctx, personID(who), parley.ThreadQuery{Folder: parley.Inbox}, 0)
		if err == nil && len(l.Items) == 0 {
			err = errors.New("bench: an empty page")
		}
		return err
	})
	if err != nil {
		return err
	}
	read := float64(heap()-before) / float64(cfg.Held)
	raw := lastLetter().raw()
	if err := h.everybody(ctx, cfg.Held, func(ctx context.Context, who int) error { return h.receive(ctx, who, raw) }); err != nil {
		return err
	}
	came := float64(heap()-before) / float64(cfg.Held)
	fs.add("newest page read", "bytes of heap", read)
	fs.add("newest page read", "bytes accounted", accounted)
	fs.add("newest page read", "heap for each byte accounted", read/accounted)
	fs.add("and a mail came", "bytes of heap", came)
	return nil
}

// everybody has a few callers do something for each person.
func (h *house) everybody(ctx context.Context, n int, f func(context.Context, int) error) error {
	return each(ctx, heapCallers, func(ctx context.Context, c int) error {
		for who := c; who < n; who += heapCallers {
			if err := f(ctx, who); err != nil {
				return err
			}
		}
		return nil
	})
}

// heap is what is reachable. The second collection empties the pools.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
