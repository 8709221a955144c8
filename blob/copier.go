package blob

import (
	"context"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

// copier appends copies of needles, under the serials and dates that they have,
// to volumes leased for it.
type copier struct {
	s       *Volumes
	pace    func(context.Context, int64) error
	v       *volume // leased; nil until something is copied
	image   []byte  // of the needles that wait
	records []record
	from    []place // of each, if it is a blob
	copied  int64
}

// copyBytes is what one write and one sync bring to the disk.
const copyBytes = 4 << 20

// add copies a needle that fits into memory.
func (c *copier) add(ctx context.Context, h header, payload []byte, from place) error {
	if err := c.enter(); err != nil {
		return err
	}
	start := c.v.end.Load()
	h.offset, h.durable = start+int64(len(c.image)), start
	c.image = h.appendTo(c.image, c.v.nonce)
	c.image = newSums(c.v.nonce, h.offset).seal(c.image, payload, 0)
	c.image = append(c.image, make([]byte, h.end()-start-int64(len(c.image)))...)
	c.records, c.from = append(c.records, h.record(c.v.number)), append(c.from, from)
	if len(c.image) < copyBytes {
		return nil
	}
	return c.flush(ctx)
}

func (c *copier) enter() (err error) {
	if c.v == nil {
		c.v, err = c.s.leaseForStream()
	}
	return err
}

// flush makes what waits durable, and then what counts.
func (c *copier) flush(ctx context.Context) error {
	if len(c.records) == 0 {
		return nil
	}
	if err := c.pace(ctx, int64(len(c.image))); err != nil {
		return err
	}
	c.s.writes.RLock()
	defer c.s.writes.RUnlock()
	if c.s.closed {
		return parley.Wrap(parley.Unavailable, "blob.compact", ErrClosed)
	}
	start := c.v.end.Load()
	end, err := c.write(start)
	if err != nil {
		return failure("blob.compact", err)
	}
	for i, r := range c.records {
		c.took(c.from[i], r)
	}
	c.v.extend(c.records, end)
	c.copied += end - start
	c.image, c.records, c.from = c.image[:0], c.records[:0], c.from[:0]
	c.turn()
	return nil
}

// write writes and syncs what waits, and says where the volume ends with it. A
// volume whose write or sync failed takes no more.
func (c *copier) write(start int64) (end int64, err error) {
	end = start + int64(len(c.image))
	if err = c.v.writeAt(c.image, start); err == nil {
		end, err = c.v.coverRest(end)
	}
	full := vfs.IsNoSpaceError(err)
	if err == nil {
		err = c.s.sync(c.v.file.SyncData)
	}
	if err != nil && !full {
		c.s.seal(c.v, err)
	}
	return end, err
}

// took points the index to a copy. What renewals and deletes say it knows.
func (c *copier) took(from place, r record) {
	if r.kind == kindPut {
		c.s.index.move(from, r)
	}
}

// turn saves the checkpoint when it is time, and leaves a volume that is full;
// the guard is held.
func (c *copier) turn() {
	if c.v.check.due(c.v.end.Load()) {
		c.s.save(c.v)
	}
	if c.v.end.Load() >= c.s.cfg.VolumeBytes {
		c.leave()
	}
}

// stream copies a large blob through a buffer.
func (c *copier) stream(ctx context.Context, h header, b *needle, from place) error {
	if err := c.flush(ctx); err != nil {
		return err
	}
	if err := c.enter(); err != nil {
		return err
	}
	st := newStream(c.s, c.v)
	st.most = b.Size()
	source := &paced{ctx, NewReader(b), c.pace}
	head := make([]byte, c.s.cfg.small) // no larger blob is smaller
	if _, _, err := fill(ctx, source, head); err != nil {
		return err
	}
	if err := st.copy(ctx, head, source); err != nil {
		return err
	}
	return st.guarded(func() error {
		err := st.end(h, func(r record) { c.took(from, r) })
		if err == nil {
			c.copied += c.v.end.Load() - st.offset
			c.turn()
		}
		return err
	})
}

// close gives the volume back.
func (c *copier) close() {
	c.s.writes.RLock()
	defer c.s.writes.RUnlock()
	c.leave()
}

// leave gives the volume back; the guard is held.
func (c *copier) leave() {
	if c.v == nil {
		return
	}
	if !c.s.closed {
		c.s.release(c.v)
	}
	if err := c.v.drop(); err != nil {
		c.s.log.Warn("blob volume not closed", "volume", c.v.number, "error", err)
	}
	c.v = nil
}

// paced waits before every read.
type paced struct {
	ctx  context.Context
	from io.Reader
	pace func(context.Context, int64) error
}

func (p *paced) Read(b []byte) (int, error) {
	if err := p.pace(p.ctx, int64(min(len(b), readerBytes))); err != nil {
		return 0, err
	}
	return p.from.Read(b)
}
