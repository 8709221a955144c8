package blob

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// tail is what a scan finds of a volume past its checkpoint.
type tail struct {
	s    *Volumes
	v    *volume
	bad  []found
	safe int64 // below it, by what the needles themselves say, all was once durable
}

// loadTail scans what the checkpoint does not cover, cuts what is torn, makes the
// rest durable (it may have been in the page cache only) and checkpoints it.
func (s *Volumes) loadTail(v *volume, size int64) error {
	if v.check.to == size {
		return nil
	}
	t := &tail{s: s, v: v}
	if err := v.scan(v.check.to, size, false, t.see); err != nil {
		return err
	}
	end, err := t.cut(size)
	if vfs.IsNoSpaceError(err) { // readable all the same; the next start cuts
		v.sealed = true
		s.log.Error("blob volume not cut", "volume", v.number, "error", err)
	} else if err != nil {
		return err
	}
	if err := s.sync(v.file.SyncData); err != nil {
		return fmt.Errorf("sync volume %d: %w", v.number, err)
	}
	v.end.Store(end)
	v.written = max(v.written, end)
	if !v.sealed {
		s.save(v)
	}
	return nil
}

// see takes in a sound needle and remembers a bad stretch. A stretch too short for
// a header has nothing to do with a needle that was durable; the needle behind it
// is of an append that failed before, and makes room for the cut.
func (t *tail) see(f found) error {
	if f.isNeedle {
		t.safe = max(t.safe, f.header.durable)
	}
	last := len(t.bad) - 1
	switch {
	case last >= 0 && t.bad[last].to == f.from && f.from-t.bad[last].from < headerBytes:
		t.bad[last].to = f.to
	case !f.sound():
		t.bad = append(t.bad, f)
	case f.header.kind != kindCut:
		r := f.header.record(t.v.number)
		t.s.take(r)
		t.v.check.pending = append(t.v.check.pending, r)
	}
	return nil
}

// cut covers the bad stretches that were never acknowledged, so that no later
// scan meets them again, and returns where the volume ends. Those that were
// durable once are damage, which stays as it is.
func (t *tail) cut(size int64) (end int64, err error) {
	for i := 0; i < len(t.bad); i++ {
		f := t.bad[i]
		if f.from < t.safe {
			t.s.recovered.damaged(t.v.number, f)
			t.s.log.Error("blob damaged", "volume", t.v.number, "offset", f.from, "digest", f.header.digest, "error", f.bad)
			continue
		}
		for i+1 < len(t.bad) && t.bad[i+1].from == f.to {
			i++
			f.to = t.bad[i].to
		}
		if end, err = t.v.cut(f.from, f.to); err != nil {
			return f.from, err
		}
		t.s.recovered.CutBytes += f.to - f.from
		t.s.log.Warn("blob volume cut", "volume", t.v.number, "offset", f.from, "bytes", f.to-f.from)
	}
	if end = max(end, size); end%alignment != 0 { // a damaged file may end anywhere
		if err := t.v.writeAt(make([]byte, padded(end)-end), end); err != nil {
			return end - end%alignment, err
		}
		end = padded(end)
	}
	return end, nil
}
