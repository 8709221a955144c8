package blob

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-im/parley"
)

// rewriting is the compaction of one volume, leased for it.
type rewriting struct {
	s      *Volumes
	v      *volume
	cfg    CompactConfig
	done   *Compacted
	out    *copier
	blobs  []survivor
	others []header // renewals and deletes that still say something
	need   int64    // bytes of needles to copy
	kept   bool     // something that counts cannot be copied, so the volume stays
}

// survivor is a blob to be copied.
type survivor struct {
	digest parley.Digest
	place  place
}

// rewrite copies what counts of a volume and removes it, if that gives enough back.
func (s *Volumes) rewrite(ctx context.Context, v *volume, cfg CompactConfig, done *Compacted) error {
	r := &rewriting{s: s, v: v, cfg: cfg, done: done, out: &copier{s: s, pace: cfg.Pace}}
	if err := r.survey(ctx); err != nil {
		return err
	}
	used := v.end.Load() - volumeHeaderBytes
	if !worth(used-r.need, used, cfg.DeadShare) {
		return nil // renewals and deletes fill it
	}
	if r.need > 0 && !s.hasRoom(r.need) {
		done.NoSpace++
		return nil
	}
	err := r.copy(ctx)
	r.out.close()
	done.Copied, done.Freed = done.Copied+r.out.copied, done.Freed-r.out.copied
	if err != nil {
		return err
	}
	return r.end()
}

// hasRoom says whether there is space for copies. Where that cannot be known, the
// writes will tell.
func (s *Volumes) hasRoom(need int64) bool {
	use, err := s.fs.GetDiskUsage(s.dir)
	return err != nil || use.AvailBytes >= uint64(need+compactReserve)
}

// survey finds what counts.
func (r *rewriting) survey(ctx context.Context) error {
	return r.v.headers(volumeHeaderBytes, r.v.end.Load(), func(f found) error {
		if !f.isNeedle {
			r.keep(f, "no needle begins here")
			return ctx.Err()
		}
		switch f.header.kind {
		case kindPut:
			r.put(f)
		case kindRenew, kindDelete:
			if r.says(f.header) {
				r.others, r.need = append(r.others, f.header), r.need+f.header.length()
			}
		}
		return ctx.Err()
	})
}

func (r *rewriting) put(f found) {
	h := f.header
	p, ok, _ := r.s.index.find(h.digest)
	switch {
	case ok && p.volume == r.v.number && p.offset() == f.from:
		r.blobs, r.need = append(r.blobs, survivor{h.digest, p}), r.need+h.length()
	case !r.s.index.buried(h.digest, grave{r.v.number, h.serial}):
		r.keep(f, "a blob that the index does not know")
	}
}

// says reports whether a start without this renewal or delete would know less. A
// renewal of a blob that is copied from here is in the date of the copy.
func (r *rewriting) says(h header) bool {
	if h.kind == kindDelete {
		return r.s.index.ends(h.record(r.v.number))
	}
	p, ok, _ := r.s.index.find(h.digest)
	return ok && p.volume != r.v.number && h.date >= int64(p.date)
}

// keep has the volume stay, and reports why.
func (r *rewriting) keep(f found, reason string) {
	r.kept = true
	if len(r.done.Damages) < mostDamages {
		r.done.Damages = append(r.done.Damages,
			Damage{Digest: f.header.digest, Volume: r.v.number, Offset: f.from, Bytes: f.to - f.from, Reason: reason})
	}
}

// copy copies all that counts and is sound.
func (r *rewriting) copy(ctx context.Context) error {
	for _, b := range r.blobs {
		p, ok, _ := r.s.index.find(b.digest)
		if !ok || p.volume != b.place.volume || p.serial != b.place.serial {
			continue // deleted or put again meanwhile
		}
		err := r.one(ctx, b.digest, p)
		switch {
		case errors.Is(err, ErrDamaged):
			h := header{kind: kindPut, size: int64(p.size), offset: p.offset(), digest: b.digest}
			r.keep(found{from: h.offset, to: h.end(), header: h}, err.Error())
		case err != nil:
			return err
		}
	}
	for _, h := range r.others {
		if err := r.out.add(ctx, h, nil, place{}); err != nil {
			return err
		}
	}
	return r.out.flush(ctx)
}

// one copies one blob, whose bytes are checked on the way.
func (r *rewriting) one(ctx context.Context, d parley.Digest, p place) error {
	r.v.hold()
	b := &needle{s: r.s, v: r.v, digest: d, place: p, sums: newSums(r.v.nonce, p.offset())}
	defer b.Close()
	h := header{kind: kindPut, size: int64(p.size), serial: p.serial, date: int64(p.date), digest: d}
	if !b.checksDigest() {
		return r.out.stream(ctx, h, b, p)
	}
	payload, err := b.small()
	if err != nil {
		return err
	}
	return r.out.add(ctx, h, payload, p)
}

// end removes the volume, unless something in it still counts.
func (r *rewriting) end() error {
	counts := r.s.index.count(func(p place) bool { return p.volume == r.v.number })[r.v.number]
	if r.kept || counts > 0 {
		r.done.Kept++
		r.s.log.Warn("blob volume kept", "volume", r.v.number, "blobs", counts)
		return nil
	}
	r.s.writes.RLock()
	defer r.s.writes.RUnlock()
	if r.s.closed {
		return ErrClosed
	}
	bytes := r.v.end.Load()
	if err := r.s.retire(r.v); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	r.done.Volumes++
	r.done.Freed += bytes
	return nil
}
