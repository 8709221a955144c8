package blob

import (
	"context"
	"fmt"
	"slices"
)

// Check reads every volume to its end of this moment and verifies all needles,
// checksums and digests, and that the index knows them. It may run beside everything else.
// progress, if not nil, is called with the bytes looked at and those to look at.
// A damaged blob that is found is stored again by the next Put of its bytes.
func (s *Volumes) Check(ctx context.Context, progress func(done, total int64)) (Report, error) {
	volumes := s.holdAll()
	defer func() {
		for _, v := range volumes {
			v.drop()
		}
	}()
	c := &checker{s: s, progress: progress, seen: map[uint32]int64{}}
	ends := map[uint32]int64{}
	for _, v := range volumes {
		ends[v.number] = v.end.Load()
		c.total += ends[v.number] - volumeHeaderBytes
	}
	for _, v := range volumes {
		if err := c.volume(ctx, v, ends[v.number]); err != nil {
			return c.report, fmt.Errorf("check volume %d: %w", v.number, err)
		}
	}
	c.dangling(ends)
	return c.report, nil
}

// holdAll lists the volumes in order and keeps them open.
func (s *Volumes) holdAll() []*volume {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []*volume
	for _, v := range s.all {
		v.hold()
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b *volume) int { return int(a.number) - int(b.number) })
	return all
}

type checker struct {
	s        *Volumes
	report   Report
	total    int64
	progress func(done, total int64)
	seen     map[uint32]int64 // blobs of the index met, by volume
}

// volume looks at one volume up to its end.
func (c *checker) volume(ctx context.Context, v *volume, end int64) error {
	c.report.Volumes++
	return v.scan(volumeHeaderBytes, end, true, func(f found) error {
		c.stretch(v, f)
		if c.progress != nil {
			c.progress(c.report.Bytes, c.total)
		}
		return ctx.Err()
	})
}

// stretch counts one needle, or what is in the place of one.
func (c *checker) stretch(v *volume, f found) {
	r := &c.report
	r.Bytes += f.to - f.from
	if !f.sound() {
		r.damaged(v.number, f)
		c.spoil(v, f)
		return
	}
	r.Needles++
	switch f.header.kind {
	case kindPut:
		c.put(v, f)
	case kindRenew:
		r.Renewals++
	case kindDelete:
		r.Deletes++
	case kindCut:
		r.CutBytes += f.header.length()
	}
}

// put holds a sound blob against the index.
func (c *checker) put(v *volume, f found) {
	p, ok, _ := c.s.index.find(f.header.digest)
	switch {
	case !ok && c.s.ended(v.number, f.header):
		c.report.Ended++
	case !ok:
		c.report.IndexMissing++
	case p.volume == v.number && p.offset() == f.from:
		c.report.Blobs++
		c.seen[v.number]++
	default:
		c.report.Copies++
	}
}

// ended reports whether a put is known not to count, or its volume went meanwhile.
func (s *Volumes) ended(volume uint32, h header) bool {
	if s.index.buried(h.digest, grave{volume, h.serial}) {
		return true
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.all[volume] == nil
}

// spoil has a damaged blob stored again by its next Put.
func (c *checker) spoil(v *volume, f found) {
	p, ok, _ := c.s.index.find(f.header.digest)
	if ok && p.volume == v.number && p.offset() == f.from {
		c.s.index.spoil(f.header.digest, p)
		c.seen[v.number]++ // reported as damage, not as dangling too
	}
}

// dangling counts the blobs of the index that the scan did not meet.
func (c *checker) dangling(ends map[uint32]int64) {
	for number, n := range c.s.index.count(func(p place) bool { return p.offset() < ends[p.volume] }) {
		c.report.IndexDangling += max(0, n-c.seen[number])
	}
}
