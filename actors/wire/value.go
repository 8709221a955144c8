package wire

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

// reader keeps the first error of a conversion, so that conversions read as
// lists of fields.
type reader struct{ err error }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("wire: "+format, args...)
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

func commandID(id parley.CommandID) []byte {
	if id.IsZero() {
		return nil
	}
	return id[:]
}

func (r *reader) commandID(b []byte) (id parley.CommandID) {
	switch len(b) {
	case 0:
	case len(id):
		id = parley.CommandID(b)
	default:
		r.fail("a command id of %d bytes", len(b))
	}
	return id
}

// hashes writes them one behind the other.
func hashes(hs []mailbox.Hash) []byte {
	var b []byte
	for _, h := range hs {
		b = append(b, h[:]...)
	}
	return b
}

func (r *reader) hashes(b []byte) []mailbox.Hash {
	const size = len(mailbox.Hash{})
	if len(b)%size != 0 {
		r.fail("hashes of %d bytes", len(b))
		return nil
	}
	var hs []mailbox.Hash
	for ; len(b) > 0; b = b[size:] {
		hs = append(hs, mailbox.Hash(b))
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
func optional[A, B any](a *A, convert func(A) B) *B {
	if a == nil {
		return nil
	}
	b := convert(*a)
	return &b
}

// spell converts words and ids from one kind of text to another.
func spell[B, A ~string](a A) B { return B(a) }

// list converts a list of them; none is nil.
func list[B, A ~string](as []A) []B { return each(as, spell[B, A]) }

// names tells an empty list from nil.
func names[T ~string](ns []T) *pb.Names {
	if ns == nil {
		return nil
	}
	return &pb.Names{Names: list[string](ns)}
}

func unnames[T ~string](ns *pb.Names) []T {
	if ns == nil {
		return nil
	}
	return append([]T{}, list[T](ns.GetNames())...)
}

// bytesOf makes no difference between empty and absent.
func bytesOf(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

func seq(n uint64) parley.Seq           { return parley.Seq(n) }
func revision(n uint64) parley.Revision { return parley.Revision(n) }
