package blob

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// commitLoop takes what waits, writes and syncs it at once, answers, and goes
// round: who comes during a sync shares the next.
func (s *Volumes) commitLoop() {
	defer close(s.finished)
	c, g := &committer{s: s}, &gatherer{queue: s.queue}
	for {
		select {
		case r := <-s.queue:
			c.turn(g, r)
		case <-s.stop:
			for len(s.queue) > 0 {
				c.turn(g, <-s.queue)
			}
			c.leave()
			return
		}
	}
}

// turn commits r and what comes with it.
func (c *committer) turn(g *gatherer, r *request) {
	batch, start := g.batch(r), time.Now()
	c.run(batch)
	g.took(len(batch), time.Since(start))
}

// committer appends small blobs and renewals. It keeps its volume until that is full.
type committer struct {
	s     *Volumes
	v     *volume // leased; nil before the first commit and after a failure
	image []byte  // what is written, kept for the next batch
}

// run commits one batch, does what is asked for in between, and answers.
func (c *committer) run(batch []*request) {
	apart := func(r *request) bool { return r.between != nil }
	for _, r := range batch {
		if apart(r) {
			defer func() { r.done <- r.between(c) }()
		}
	}
	c.commit(slices.DeleteFunc(batch, apart))
}

// commit writes what a batch puts and renews, and answers its requests.
func (c *committer) commit(batch []*request) {
	plan, answers := c.s.plan(batch)
	err := c.appendAgain(plan)
	if err != nil {
		err = failure("blob.put", err)
	}
	for _, r := range batch {
		if planned, ok := answers[r]; ok {
			r.done <- planned
		} else {
			r.done <- err
		}
	}
}

// errSealed says that the volume took the batch or the sync with an error and is
// done with.
var errSealed = errors.New("blob: volume sealed")

// appendAgain is append, and once more elsewhere if the volume took no more: the
// bytes are still here.
func (c *committer) appendAgain(plan []*request) error {
	err := c.append(plan)
	if errors.Is(err, errSealed) {
		err = c.append(plan)
	}
	return err
}

// append writes a batch with one write and one sync.
func (c *committer) append(plan []*request) error {
	if len(plan) == 0 {
		return nil
	}
	if err := c.enter(); err != nil {
		return err
	}
	records, end := c.build(plan)
	err := c.v.writeAt(c.image, c.v.end.Load())
	if err == nil {
		end, err = c.v.coverRest(end)
	}
	if vfs.IsNoSpaceError(err) {
		return err // the next batch goes over it
	}
	if err == nil {
		err = c.s.sync(c.v.file.SyncData)
	}
	if err != nil {
		c.s.seal(c.v, err)
		c.leave()
		return fmt.Errorf("%w: %w", errSealed, err)
	}
	c.s.commit(c.v, records, end)
	c.s.count.appended.Add(int64(len(c.image)))
	if c.v.check.due(end) {
		c.s.save(c.v)
	}
	if end >= c.s.cfg.VolumeBytes {
		c.leave()
	}
	return nil
}

// build makes the needles of a batch, and says where the volume ends with them.
func (c *committer) build(plan []*request) (records []record, end int64) {
	start, now := c.v.end.Load(), c.s.cfg.Now().Unix()
	c.image, end = c.image[:0], start
	for _, r := range plan {
		h := header{kind: r.kind, size: int64(len(r.payload)), offset: end, durable: start,
			serial: c.s.serial.Add(1), date: now, digest: r.digest}
		c.image = h.appendTo(c.image, c.v.nonce)
		c.image = newSums(c.v.nonce, end).seal(c.image, r.payload, 0)
		end = h.end()
		c.image = append(c.image, make([]byte, end-start-int64(len(c.image)))...)
		records = append(records, h.record(c.v.number))
	}
	return records, end
}

func (c *committer) enter() (err error) {
	if c.v == nil {
		c.v, err = c.s.lease()
	}
	return err
}

func (c *committer) leave() {
	if c.v != nil {
		c.s.release(c.v)
		c.v = nil
	}
}

// failure gives an error of the disk its code.
func failure(op string, err error) error {
	if vfs.IsNoSpaceError(err) {
		return &parley.Error{Code: parley.DiskFull, Op: op, Public: "the server's disk is full",
			Err: fmt.Errorf("%w: %w", persistence.ErrNoSpace, err)}
	}
	return parley.Wrap(parley.Unavailable, op, err)
}
