package blob

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// loadTail scans what the checkpoint does not cover, cuts what is torn, makes the
// rest durable (it may have been in the page cache only) and checkpoints it.
func (s *Volumes) loadTail(v *volume, size int64) error {
	from := v.check.to
	if from == size && v.check.at > 0 {
		return nil
	}
	var all []found
	err := v.scan(from, size, false, func(f found) error {
		all = append(all, f)
		return nil
	})
	if err != nil {
		return err
	}
	end, err := s.cutTorn(v, all, size)
	if vfs.IsNoSpaceError(err) { // readable all the same; the next start cuts
		v.sealed = true
		s.log.Error("blob volume not cut", "volume", v.number, "error", err)
	} else if err != nil {
		return err
	}
	if err := s.sync(v.file.SyncData); err != nil {
		return fmt.Errorf("sync volume %d: %w", v.number, err)
	}
	for _, f := range all {
		if f.sound() && f.header.kind != kindCut {
			r := f.header.record(v.number)
			s.take(r)
			v.check.pending = append(v.check.pending, r)
		}
	}
	v.end.Store(end)
	v.written = max(v.written, end)
	if !v.sealed {
		s.save(v)
	}
	return nil
}

// durable is the offset below which, by what the needles themselves say, all was
// once durable: bad bytes before it are damage, bytes after it were never acknowledged.
func durable(all []found) (to int64) {
	for _, f := range all {
		if f.isNeedle {
			to = max(to, f.header.durable)
		}
	}
	return to
}

// cutTorn covers torn stretches with cuts, so that no later scan meets them
// again, and returns where the volume ends.
func (s *Volumes) cutTorn(v *volume, all []found, size int64) (end int64, err error) {
	safe := durable(all)
	for i := 0; i < len(all); i++ {
		f := all[i]
		if f.sound() {
			continue
		}
		if f.from < safe {
			s.recovered.damaged(v.number, f)
			s.log.Error("blob damaged", "volume", v.number, "offset", f.from, "digest", f.header.digest, "error", f.bad)
			continue
		}
		i = swallow(all, i)
		if end, err = v.cut(f.from, all[i].to); err != nil {
			return f.from, err
		}
		s.recovered.CutBytes += all[i].to - f.from
		s.log.Warn("blob volume cut", "volume", v.number, "offset", f.from, "bytes", all[i].to-f.from)
	}
	return max(end, size), nil
}

// swallow goes on from the torn stretch i to the last one that belongs into the
// same cut: torn ones, and what must make room for the cut's header (needles of
// an append that failed long ago).
func swallow(all []found, i int) int {
	from := all[i].from
	for i+1 < len(all) && (!all[i+1].sound() || all[i].to-from < headerBytes) {
		i++
		all[i].isNeedle = false
	}
	return i
}
