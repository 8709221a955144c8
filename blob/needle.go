package blob

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/parley-im/parley"
)

// needle is an open blob of a volume.
type needle struct {
	s      *Volumes
	v      *volume
	digest parley.Digest
	place  place
	sums   sums

	mu     sync.Mutex
	whole  []byte // under mu: a small blob, once read
	closed bool   // under mu
}

func (b *needle) Size() int64           { return int64(b.place.size) }
func (b *needle) Digest() parley.Digest { return b.digest }

// checksDigest says that every read checks the digest.
func (b *needle) checksDigest() bool { return b.Size() < b.s.cfg.small }

func (b *needle) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed, b.whole = true, nil
	return b.v.drop()
}

// ReadAt reads a part, or all, as io.ReaderAt says.
func (b *needle) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("blob: negative offset")
	}
	n := int(max(0, min(int64(len(p)), b.Size()-off)))
	if n > 0 {
		if err := b.read(p[:n], off); err != nil {
			return 0, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// read fills p, which lies within the blob.
func (b *needle) read(p []byte, off int64) error {
	if b.checksDigest() {
		whole, err := b.small()
		if err == nil {
			copy(p, whole[off:])
		}
		return err
	}
	if err := b.holdOpen(); err != nil {
		return err
	}
	defer b.v.drop()
	if err := b.chunks(p, off); err != nil {
		return b.failed(err)
	}
	if int64(len(p)) == b.Size() && parley.Digest(sha256.Sum256(p)) != b.digest {
		return b.failed(fmt.Errorf("%w: the digest differs", ErrDamaged))
	}
	return nil
}

// holdOpen keeps a Close from taking the file away during a read.
func (b *needle) holdOpen() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	b.v.hold()
	return nil
}

// small reads a small blob whole, header and all, on first use.
func (b *needle) small() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, ErrClosed
	}
	if b.whole != nil {
		return b.whole, nil
	}
	raw := make([]byte, headerBytes+sealedBytes(b.Size()))
	if err := b.disk(raw, b.place.offset()); err != nil {
		return nil, b.failed(err)
	}
	h, ok := decodeHeader(raw, b.v.nonce, b.place.offset())
	if !ok || h.digest != b.digest || h.size != b.Size() {
		return nil, b.failed(fmt.Errorf("%w: another needle is in its place", ErrDamaged))
	}
	whole := raw[headerBytes:headerBytes] // the chunks move together in place
	err := b.sums.open(raw[headerBytes:], 0, func(chunk []byte) { whole = append(whole, chunk...) })
	if err == nil && parley.Digest(sha256.Sum256(whole)) != b.digest {
		err = fmt.Errorf("%w: the digest differs", ErrDamaged)
	}
	if err != nil {
		return nil, b.failed(err)
	}
	b.whole = whole
	return whole, nil
}

var windows = sync.Pool{New: func() any { b := make([]byte, windowChunks*sealedChunk); return &b }}

// chunks reads the chunks that p touches, a window of them at a time, and copies from them.
func (b *needle) chunks(p []byte, off int64) error {
	window := windows.Get().(*[]byte)
	defer windows.Put(window)
	total := sealedBytes(b.Size())
	for len(p) > 0 {
		first := off / chunkBytes
		last := (off + int64(len(p)) - 1) / chunkBytes
		from := first * sealedChunk
		to := min(total, (min(last, first+windowChunks-1)+1)*sealedChunk)
		raw := (*window)[:to-from]
		if err := b.disk(raw, b.place.offset()+headerBytes+from); err != nil {
			return err
		}
		skip := off - first*chunkBytes
		err := b.sums.open(raw, first, func(chunk []byte) {
			n := copy(p, chunk[skip:])
			p, off, skip = p[n:], off+int64(n), 0
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *needle) disk(raw []byte, at int64) error {
	b.s.count.diskReads.Add(1)
	return b.v.readFull(raw, at)
}

// failed notes damage, so that the next Put of these bytes stores them again.
func (b *needle) failed(err error) error {
	if errors.Is(err, ErrDamaged) {
		b.s.count.damaged.Add(1)
		b.s.index.spoil(b.digest, b.place)
		b.s.log.Error("blob damaged", "volume", b.v.number, "offset", b.place.offset(), "digest", b.digest, "error", err)
	}
	return parley.Wrap(parley.Internal, "blob.read", err)
}
