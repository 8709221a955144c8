package blob

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"github.com/parley-im/parley"
)

// found is a stretch of a volume as a scan sees it: a needle, sound or not, or
// bytes in which no needle begins (then isNeedle is false).
type found struct {
	from, to int64
	header   header
	isNeedle bool
	bad      error // what is wrong with the needle's payload
}

func (f found) sound() bool { return f.isNeedle && f.bad == nil }

// scanner reads a volume from front to back through one buffer.
type scanner struct {
	v    *volume
	to   int64
	deep bool // check digests as well as checksums
	bare bool // look at headers alone
	buf  []byte
	at   int64 // where buf begins
	n    int   // how much of it is filled
}

const scanBytes = 1 << 20

// scan visits what lies between two offsets, in order. The error of visit ends
// it; bad bytes do not.
func (v *volume) scan(from, to int64, deep bool, visit func(found) error) error {
	return v.scanWith(&scanner{deep: deep}, from, to, visit)
}

// headers is scan without a look at what the needles hold.
func (v *volume) headers(from, to int64, visit func(found) error) error {
	return v.scanWith(&scanner{bare: true}, from, to, visit)
}

func (v *volume) scanWith(sc *scanner, from, to int64, visit func(found) error) error {
	sc.v, sc.to, sc.buf = v, to, make([]byte, min(scanBytes, max(0, to-from)))
	for from < to {
		f, err := sc.next(from)
		if err != nil {
			return err
		}
		if err := visit(f); err != nil {
			return err
		}
		from = f.to
	}
	return nil
}

// next reads the needle at an offset, or else looks for the next one.
func (sc *scanner) next(at int64) (found, error) {
	h, ok, err := sc.headerAt(at)
	if err != nil {
		return found{}, err
	}
	if ok && !h.kind.known() {
		return found{}, fmt.Errorf("blob: volume %d holds a needle of kind %d, which a later version wrote", sc.v.number, h.kind)
	}
	if ok && h.end() <= sc.to {
		bad, err := sc.verify(h)
		return found{from: at, to: h.end(), header: h, isNeedle: true, bad: bad}, err
	}
	next, err := sc.search(at + alignment)
	return found{from: at, to: next, header: h}, err
}

// headerAt decodes the header at an offset.
func (sc *scanner) headerAt(at int64) (header, bool, error) {
	if at+headerBytes > sc.to {
		return header{}, false, nil
	}
	raw, err := sc.view(at, headerBytes)
	if err != nil {
		return header{}, false, err
	}
	h, ok := decodeHeader(raw, sc.v.nonce, at)
	return h, ok, nil
}

// search finds the next offset at which a header stands, or the end.
func (sc *scanner) search(at int64) (int64, error) {
	mark := sc.v.nonce[:]
	for at+headerBytes <= sc.to {
		if _, err := sc.view(at, headerBytes); err != nil {
			return 0, err
		}
		raw := sc.buf[at-sc.at : sc.n] // as much as there is
		i := bytes.Index(raw, mark)
		switch {
		case i < 0: // the mark may lie across the end of the buffer
			at += padded(int64(len(raw) - len(mark) + 1))
			continue
		case i%alignment != 0:
			at += padded(int64(i))
			continue
		}
		at += int64(i)
		if _, ok, err := sc.headerAt(at); ok || err != nil {
			return at, err
		}
		at += alignment
	}
	return sc.to, nil
}

// verify checks the payload of a needle: bad is what is wrong with it, err a disk that cannot be read.
func (sc *scanner) verify(h header) (bad, err error) {
	if h.kind != kindPut || sc.bare {
		return nil, nil
	}
	sum, hash := newSums(sc.v.nonce, h.offset), sha256.New()
	const step = scanBytes / sealedChunk
	at, rest := h.offset+headerBytes, sealedBytes(h.size)
	for chunk := int64(0); rest > 0; chunk += step {
		raw, err := sc.view(at, int(min(rest, step*sealedChunk)))
		if err != nil {
			return nil, err
		}
		bad := sum.open(raw, chunk, func(payload []byte) {
			if sc.deep {
				hash.Write(payload)
			}
		})
		if bad != nil {
			return bad, nil
		}
		at, rest = at+int64(len(raw)), rest-int64(len(raw))
	}
	if sc.deep && parley.Digest(hash.Sum(nil)) != h.digest {
		return fmt.Errorf("%w: the digest differs", ErrDamaged), nil
	}
	return nil, nil
}

// view gives n bytes at an offset, at most scanBytes, from the buffer if they are there.
func (sc *scanner) view(at int64, n int) ([]byte, error) {
	if at < sc.at || at+int64(n) > sc.at+int64(sc.n) {
		fill := int(min(int64(len(sc.buf)), sc.to-at))
		sc.at, sc.n = at, 0
		if err := sc.v.readFull(sc.buf[:fill], at); err != nil {
			return nil, err
		}
		sc.n = fill
	}
	return sc.buf[at-sc.at:][:n], nil
}
