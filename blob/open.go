package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/parley-im/parley"
)

func (p place) info(d parley.Digest) Info {
	return Info{Ref: Ref{Digest: d, Size: int64(p.size)}, Date: time.Unix(int64(p.date), 0).UTC()}
}

// Open finds a blob. It does not read the disk.
func (s *Volumes) Open(ctx context.Context, d parley.Digest) (Blob, error) {
	if err := ctx.Err(); err != nil {
		return nil, parley.Wrap(parley.Unavailable, "blob.open", err)
	}
	p, v, err := s.locate(d)
	if err != nil {
		return nil, err
	}
	b := &needle{s: s, v: v, digest: d, place: p, sums: newSums(v.nonce, p.offset())}
	if p.size == 0 && d != noBytes { // nothing will be read, so nothing else would tell
		return nil, errors.Join(b.failed(fmt.Errorf("%w: the digest differs", ErrDamaged)), v.drop())
	}
	s.count.reads.Add(1)
	return b, nil
}

// locate finds a blob and holds its volume. Between the two looks compaction may
// have moved the blob and removed the volume.
func (s *Volumes) locate(d parley.Digest) (place, *volume, error) {
	for {
		p, ok, _ := s.index.find(d)
		if !ok {
			return p, nil, parley.E(parley.NotFound, "blob.open", "no such blob")
		}
		if v := s.holdVolume(p.volume); v != nil {
			return p, v, nil
		}
		if now, _, _ := s.index.find(d); now.volume == p.volume {
			return p, nil, parley.Wrap(parley.Unavailable, "blob.open", ErrClosed)
		}
	}
}

// holdVolume is nil for a volume that is not there any more.
func (s *Volumes) holdVolume(number uint32) *volume {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v := s.all[number]
	if v != nil {
		v.hold()
	}
	return v
}

var noBytes = parley.Digest(sha256.Sum256(nil))
