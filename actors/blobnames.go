package actors

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
)

// NamesConfig says how to look for names.
type NamesConfig struct {
	Pace     func(ctx context.Context, bytes int64) error // called after every read, may wait; nil never waits
	Progress func(rows int64)                             // called after every row; nil for nobody
}

// BlobNames gives every digest that a row names, some more than once, for sweeps of
// the blobs. It reads the log of each mailbox and room from front to back, sealed or
// not, since a name that moves within a row moves to a later entry; then the pages;
// then what the log got meanwhile. A name of
// a row that comes later, or in the part already read, is of a blob that was put or
// renewed within hours, which no sweep ends.
//
// It gives an error, and ends, where anything cannot be read or understood: a sweep
// must not take for unnamed what it does not see.
func (n *Node) BlobNames(ctx context.Context, cfg NamesConfig) iter.Seq2[parley.Digest, error] {
	return func(yield func(parley.Digest, error) bool) {
		c := &nameReader{n: n, ctx: ctx, cfg: cfg, walk: newDigestWalk(), yield: yield}
		if err := c.tables(); err != nil && !c.ended {
			yield(parley.Digest{}, err)
		}
	}
}

// errEnough says that whoever asked wants no more.
var errEnough = errors.New("actors: no more names wanted")

// nameReader is one look through all rows.
type nameReader struct {
	n     *Node
	ctx   context.Context
	cfg   NamesConfig
	walk  *digestWalk
	yield func(parley.Digest, error) bool
	rows  int64
	ended bool
}

// tables reads mailboxes before rooms: that is the way on which names move.
func (c *nameReader) tables() error {
	for _, t := range []struct {
		name persistence.Table
		read func(row []byte) error
	}{{persistence.Mailbox, c.mailbox}, {persistence.Thread, c.room}} {
		if err := c.table(t.name, t.read); err != nil {
			return err
		}
	}
	return nil
}

func (c *nameReader) table(t persistence.Table, read func(row []byte) error) error {
	for row, err := range rowsFrom(c.ctx, c.n.cfg.Store, t, nil) {
		if err != nil {
			return fmt.Errorf("list the rows of table %s: %w", t, err)
		}
		if err := read(row); err != nil {
			return fmt.Errorf("row %q of table %s: %w", row, t, err)
		}
		c.rows++
		if c.cfg.Progress != nil {
			c.cfg.Progress(c.rows)
		}
	}
	return nil
}

// name tells a digest.
func (c *nameReader) name(d parley.Digest) {
	if !c.ended && !d.IsZero() {
		c.ended = !c.yield(d, nil)
	}
}

// cells reads a range of a row, at the pace that was asked for.
func (c *nameReader) cells(t persistence.Table, row []byte, r persistence.Range, f func(persistence.Cell) error) error {
	return each(c.ctx, c.n.cfg.Store, t, row, r, func(cell persistence.Cell) error {
		if c.ended {
			return errEnough
		}
		if err := c.pace(len(cell.Qualifier) + len(cell.Value)); err != nil {
			return err
		}
		return f(cell)
	})
}

func (c *nameReader) pace(bytes int) error {
	if c.cfg.Pace == nil {
		return nil
	}
	return c.cfg.Pace(c.ctx, int64(bytes))
}

// log reads the actions after from, wherever they stand, and returns the last.
func (c *nameReader) log(t persistence.Table, row []byte, from uint64, entry func([]byte) error) (uint64, error) {
	history, last, err := openLog(c.ctx, c.n.cfg.Store, t, row)
	if err != nil {
		return from, err
	}
	for raw, err := range history.actions(c.ctx, from, last) {
		switch {
		case err != nil:
			return from, err
		case c.ended:
			return from, errEnough
		}
		if err := c.pace(len(raw)); err != nil {
			return from, err
		}
		if err := entry(raw); err != nil {
			return from, err
		}
		from++
	}
	return from, nil
}

// both reads the log, the pages, and the rest of the log.
func (c *nameReader) both(t persistence.Table, row []byte, entry func([]byte) error, page func(key string, value []byte) error) error {
	last, err := c.log(t, row, 0, entry)
	if err != nil {
		return err
	}
	if err := c.pages(t, row, page); err != nil {
		return err
	}
	_, err = c.log(t, row, last, entry)
	return err
}

// pages reads the generation that counts, and once more if a rebuild switched to
// the other one meanwhile.
func (c *nameReader) pages(t persistence.Table, row []byte, page func(key string, value []byte) error) error {
	g, err := c.generation(t, row)
	for err == nil {
		if err = c.generationPages(t, row, g, page); err != nil {
			return err
		}
		before := g
		if g, err = c.generation(t, row); g == before {
			return err
		}
	}
	return err
}

func (c *nameReader) generation(t persistence.Table, row []byte) (byte, error) {
	head, err := c.n.cfg.Store.Read(c.ctx, t, row, persistence.Exactly(persistence.Meta, markQualifier))
	if err != nil || len(head[0]) == 0 {
		return firstGeneration, err
	}
	mark, err := codec.DecodeMark(head[0][0].Value)
	return mark.Generation, err
}

func (c *nameReader) generationPages(t persistence.Table, row []byte, g byte, page func(key string, value []byte) error) error {
	r := persistence.Range{Family: persistence.Meta, From: []byte{g}, To: []byte{g + 1}}
	return c.cells(t, row, r, func(cell persistence.Cell) error {
		if len(cell.Value) == 0 {
			return nil // erased
		}
		if err := page(string(cell.Qualifier[1:]), cell.Value); err != nil {
			return fmt.Errorf("page %q: %w", cell.Qualifier, err)
		}
		return nil
	})
}

// mailbox reads a mailbox. An upload is named by its own entry until a message has
// it, from when on the message's entry names it, as long as that is not blanked; or
// until it lapses.
func (c *nameReader) mailbox(row []byte) error {
	uploads, now := newUploadNames(), c.n.cfg.Now()
	err := c.both(persistence.Mailbox, row, func(raw []byte) error {
		a, err := codec.DecodeAction(raw)
		if err != nil {
			return err
		}
		switch {
		case a.Uploaded != nil:
			uploads.add(a.Uploaded.ID, a.Uploaded.Blob, now)
			return nil
		case a.Started != nil || a.Progressed != nil:
			uploads.job(&a, now)
		case a.Filed != nil:
			for _, at := range a.Filed.Message.Attachments {
				delete(uploads.blobs, at.Blob)
			}
		case a.Drafted != nil:
			for _, at := range a.Drafted.Message.Attachments {
				delete(uploads.blobs, at.Blob)
			}
		}
		c.walk.digests(&a, c.name)
		return nil
	}, func(key string, value []byte) error {
		p, err := codec.DecodePage(mailbox.Key(key), value)
		if j, ok := p.(*mailbox.Job); ok {
			p = j.Names(now)
		}
		if b, ok := p.(*mailbox.Blob); err == nil && !(ok && b.Lapsed(now)) {
			c.walk.digests(p, c.name)
		}
		return err
	})
	uploads.each(c.name)
	return err
}

// room reads a room: its events name blobs for as long as there may be a copy that
// has yet to receive them.
func (c *nameReader) room(row []byte) error {
	return c.both(persistence.Thread, row, func(raw []byte) error {
		e, err := codec.DecodeEvent(raw)
		if err == nil {
			c.walk.digests(&e, c.name)
		}
		return err
	}, func(key string, value []byte) error {
		p, err := codec.DecodeThreadPage(key, value)
		if err == nil {
			c.walk.digests(p, c.name)
		}
		return err
	})
}
