package codec

import (
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
)

// ErrUnknownAction says that an action, or an event of a room, is of a kind that
// this version does not know, or of none.
var ErrUnknownAction = errors.New("codec: an action of an unknown kind")

// writer and reader keep the first error of a conversion, so that conversions
// read as lists of fields.
type (
	writer struct{ err error }
	reader struct{ err error }
)

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("codec: "+format, args...)
	}
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("codec: "+format, args...)
	}
}

// marshal finishes a conversion.
func (w *writer) marshal(m proto.Message) ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	return b, nil
}

// cell finishes the conversion of a page. Since an empty cell means that there
// is no page, one in which all is zero has a field that no reader looks for.
func (w *writer) cell(m proto.Message) ([]byte, error) {
	b, err := w.marshal(m)
	if err == nil && len(b) == 0 {
		b = protowire.AppendVarint(protowire.AppendTag(nil, allZero, protowire.VarintType), 1)
	}
	return b, err
}

// allZero is a field number that no page uses.
const allZero = 1000

// unmarshal begins one.
func (r *reader) unmarshal(b []byte, m proto.Message) {
	if err := proto.Unmarshal(b, m); err != nil {
		r.fail("%w", err)
	}
}

func micros(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return proto.Int64(t.UnixMicro())
}

func moment(micros *int64) time.Time {
	if micros == nil {
		return time.Time{}
	}
	return time.UnixMicro(*micros).UTC()
}

// hash gives the bytes of a command id or a hash, none for zero.
func hash[T ~[16]byte](h T) []byte {
	if h == (T{}) {
		return nil
	}
	b := [16]byte(h)
	return b[:]
}

func unhash[T ~[16]byte](r *reader, b []byte) (h T) {
	switch len(b) {
	case 0:
	case len(h):
		h = T(b)
	default:
		r.fail("%d bytes for %T", len(b), h)
	}
	return h
}

func digest(d parley.Digest) []byte {
	if d.IsZero() {
		return nil
	}
	return d[:]
}

func (r *reader) digest(b []byte) (d parley.Digest) {
	switch len(b) {
	case 0:
	case len(d):
		d = parley.Digest(b)
	default:
		r.fail("a digest of %d bytes", len(b))
	}
	return d
}

// hashes writes them one behind the other.
func hashes[T ~[16]byte](hs []T) []byte {
	b := make([]byte, 0, 16*len(hs))
	for _, h := range hs {
		one := [16]byte(h)
		b = append(b, one[:]...)
	}
	return b
}

func unhashes[T ~[16]byte](r *reader, b []byte) []T {
	if len(b)%16 != 0 {
		r.fail("hashes of %d bytes", len(b))
		return nil
	}
	if len(b) == 0 {
		return nil
	}
	hs := make([]T, 0, len(b)/16)
	for ; len(b) > 0; b = b[16:] {
		hs = append(hs, T(b[:16]))
	}
	return hs
}

// each converts a list; none is nil.
func each[A, B any](list []A, convert func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, 0, len(list))
	for _, a := range list {
		out = append(out, convert(a))
	}
	return out
}

// optional converts what may be absent.
func optional[A, B any](a *A, convert func(*A) *B) *B {
	if a == nil {
		return nil
	}
	return convert(a)
}
