package blob

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/parley-im/parley"
)

// Reader reads a blob in order, in large steps whatever the caller's buffer. Read
// from the start to the end it checks the digest before it hands out the last step;
// after a Seek the checks of ReadAt are what there is. Not for concurrent use.
type Reader struct {
	b    Blob
	at   int64  // of the next byte for the caller
	buf  []byte // filled from the offset from
	rest []byte // what of buf the caller has not had
	hash hash.Hash
	err  error
}

var (
	_ io.ReadSeeker = (*Reader)(nil)
	_ io.WriterTo   = (*Reader)(nil)
)

// NewReader reads b, which stays open until the caller closes it.
func NewReader(b Blob) *Reader { return &Reader{b: b, hash: newHash(b)} }

// newHash is nil for a blob that checks the digest by itself.
func newHash(b Blob) hash.Hash {
	if n, ok := b.(*needle); ok && n.checksDigest() {
		return nil
	}
	return sha256.New()
}

// Read is io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(p, r.rest)
	r.rest, r.at = r.rest[n:], r.at+int64(n)
	return n, nil
}

// WriteTo is io.WriterTo, so that io.Copy writes whole steps.
func (r *Reader) WriteTo(w io.Writer) (written int64, err error) {
	for {
		if err := r.fill(); errors.Is(err, io.EOF) {
			return written, nil
		} else if err != nil {
			return written, err
		}
		n, err := w.Write(r.rest)
		r.rest, r.at, written = r.rest[n:], r.at+int64(n), written+int64(n)
		if err != nil {
			return written, err
		}
	}
}

// fill makes rest not empty, or says why that cannot be.
func (r *Reader) fill() error {
	if len(r.rest) > 0 || r.err != nil {
		return r.err
	}
	left := r.b.Size() - r.at
	if left <= 0 {
		return io.EOF
	}
	if r.buf == nil {
		r.buf = make([]byte, min(readerBytes, r.b.Size()))
	}
	step := r.buf[:min(int64(len(r.buf))-r.at%chunkBytes, left)]
	if r.err = r.step(step, int64(len(step)) == left); r.err != nil {
		return r.err
	}
	r.rest = step
	return nil
}

// step reads one step, and checks the digest before it hands out the last.
func (r *Reader) step(p []byte, last bool) error {
	if _, err := r.b.ReadAt(p, r.at); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if r.hash == nil {
		return nil
	}
	r.hash.Write(p)
	if last && parley.Digest(r.hash.Sum(nil)) != r.b.Digest() {
		return parley.Wrap(parley.Internal, "blob.read", fmt.Errorf("%w: the digest differs", ErrDamaged))
	}
	return nil
}

// Seek is io.Seeker. Seeking to the end and back before reading, as servers of
// ranges do to learn the size, keeps the check of the digest.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.b.Size()
	}
	if offset < 0 {
		return 0, errors.New("blob: seek before the start")
	}
	if offset != r.at || len(r.rest) > 0 {
		r.rest, r.err, r.hash = nil, nil, nil
		if offset == 0 {
			r.hash = newHash(r.b)
		}
		r.at = offset
	}
	return r.at, nil
}
