package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parley-im/parley"
)

// putLarge streams a blob into a volume leased for it. The header is written
// last: until then the bytes mean nothing, and whoever leases next goes over them.
func (s *Volumes) putLarge(ctx context.Context, head []byte, r io.Reader) (Ref, error) {
	v, err := s.leaseForStream()
	if err != nil {
		return Ref{}, err
	}
	defer func() { s.releaseFromStream(v) }()
	st := newStream(s, v)
	if err := st.copy(ctx, head, r); err != nil {
		return Ref{}, err
	}
	ref := Ref{Digest: parley.Digest(st.hash.Sum(nil)), Size: st.size}
	if err := st.settle(ctx, ref.Digest); err != nil {
		return Ref{}, err
	}
	return ref, nil
}

func (s *Volumes) leaseForStream() (*volume, error) {
	s.writes.RLock()
	defer s.writes.RUnlock()
	if s.closed {
		return nil, parley.Wrap(parley.Unavailable, "blob.put", ErrClosed)
	}
	v, err := s.lease()
	if err != nil {
		return nil, failure("blob.put", err)
	}
	v.hold() // Close may drop it meanwhile
	return v, nil
}

func (s *Volumes) releaseFromStream(v *volume) {
	s.writes.RLock()
	defer s.writes.RUnlock()
	if !s.closed {
		s.release(v)
	}
	if err := v.drop(); err != nil {
		s.log.Warn("blob volume not closed", "volume", v.number, "error", err)
	}
}

// stream is one large blob on its way into a volume.
type stream struct {
	s      *Volumes
	v      *volume
	sums   sums
	hash   hash.Hash
	offset int64 // of the needle
	at     int64 // where the next chunk goes
	chunk  int64 // its number
	size   int64
	most   int64  // that size may become
	sealed []byte // the chunks of one write
}

func newStream(s *Volumes, v *volume) *stream {
	at := v.end.Load()
	return &stream{s: s, v: v, sums: newSums(v.nonce, at), hash: sha256.New(), offset: at, at: at + headerBytes, most: s.cfg.MaxBytes,
		sealed: make([]byte, 0, sealedBytes(s.cfg.small))}
}

// copy takes head, and then r to its end. It holds no lock while it reads.
func (st *stream) copy(ctx context.Context, head []byte, r io.Reader) error {
	if err := st.take(head); err != nil {
		return err
	}
	for buf := head; ; {
		n, end, err := fill(ctx, r, buf)
		if err != nil {
			return uploadError(err)
		}
		if err := st.take(buf[:n]); err != nil || end {
			return err
		}
	}
}

// take appends payload: whole chunks, until the last call.
func (st *stream) take(payload []byte) error {
	if len(payload) == 0 {
		return nil
	}
	if st.size += int64(len(payload)); st.size > st.most {
		return st.s.tooLarge()
	}
	st.hash.Write(payload)
	st.sealed = st.sums.seal(st.sealed[:0], payload, st.chunk)
	err := st.write(st.sealed, st.at)
	st.at, st.chunk = st.at+int64(len(st.sealed)), st.chunk+int64(len(payload))/chunkBytes
	return err
}

// settle makes the blob durable, or renews it if it was here before.
func (st *stream) settle(ctx context.Context, d parley.Digest) error {
	if _, _, sound := st.s.index.find(d); sound {
		err := st.s.settle(ctx, &request{kind: kindRenew, digest: d})
		if !errors.Is(err, errVanished) {
			return err
		}
	}
	return st.finish(d)
}

// write appends under the guard that lets Close wait for it.
func (st *stream) write(b []byte, at int64) error {
	return st.guarded(func() error { return st.v.writeAt(b, at) })
}

func (st *stream) guarded(do func() error) error {
	st.s.writes.RLock()
	defer st.s.writes.RUnlock()
	if st.s.closed {
		return parley.Wrap(parley.Unavailable, "blob.put", ErrClosed)
	}
	err := do()
	if err == nil {
		return nil
	}
	if !vfs.IsNoSpaceError(err) {
		st.s.seal(st.v, err)
	}
	return failure("blob.put", err)
}

// finish makes the blob durable. Its serial is taken under the guard, which keeps
// deletes out.
func (st *stream) finish(d parley.Digest) error {
	return st.guarded(func() error {
		return st.end(header{serial: st.s.serial.Add(1), date: st.s.cfg.Now().Unix(), digest: d}, st.s.index.apply)
	})
}

// end writes what stands after and before the chunks, makes all durable, and has
// the index take it in.
func (st *stream) end(h header, take func(record)) error {
	h.kind, h.size, h.offset, h.durable = kindPut, st.size, st.offset, st.offset
	if err := st.v.writeAt(make([]byte, h.end()-st.at), st.at); err != nil {
		return err
	}
	if err := st.v.writeAt(h.appendTo(nil, st.v.nonce), st.offset); err != nil {
		return err
	}
	end, err := st.v.coverRest(h.end())
	if err != nil {
		return err
	}
	if err := st.sync(); err != nil {
		return err
	}
	r := h.record(st.v.number)
	take(r)
	st.v.extend([]record{r}, end)
	st.s.count.appended.Add(end - st.offset)
	return nil
}

// sync seals the volume on any failure, a full disk included: what a sync left
// behind is not known.
func (st *stream) sync() error {
	err := st.s.sync(st.v.file.SyncData)
	if vfs.IsNoSpaceError(err) {
		st.s.seal(st.v, err)
	}
	return err
}
