package mbox

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ulikunitz/xz"
)

// maxDict is the largest dictionary that an .xz file may ask for, that of xz -9.
// The decoder would allocate up to 4 GiB because a file of 60 bytes says so.
const maxDict = 64 << 20

var errDict = errors.New("mbox: the .xz file needs too large a dictionary")

// xzReader decompresses under a guard that follows the container beside the
// decoder: it checks each dictionary before the decoder sees it, and tells the
// end of the file from a cut between two blocks, which the decoder takes for it.
type xzReader struct {
	guard *xzGuard
	out   *xz.Reader
}

func newXZ(in *bufio.Reader) (*xzReader, error) {
	guard := &xzGuard{in: in}
	out, err := xz.NewReader(guard)
	if err != nil {
		return nil, fmt.Errorf("open mailbox: %w", err)
	}
	return &xzReader{guard, out}, nil
}

func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.out.Read(p)
	if x.guard.err != nil {
		return 0, x.guard.err
	}
	if err == io.EOF && !x.guard.atEnd() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// xzGuard passes a .xz file through and follows its structure (.xz file format
// 1.2, sections 2 and 3; the chunks are those of LZMA2).
type xzGuard struct {
	in  *bufio.Reader
	err error

	next  func(*xzGuard) int // looks at buf, says how many more bytes it wants
	buf   []byte
	want  int
	skip  int64 // bytes that do not matter
	check int64 // size of the integrity check
	body  int64 // compressed bytes of the block so far
	index uint64
	ended bool // a stream is over
}

func (g *xzGuard) Read(p []byte) (int, error) {
	n, err := g.in.Read(p)
	g.follow(p[:n])
	if g.err != nil {
		return 0, g.err
	}
	return n, err
}

// ReadByte keeps the decoder from reading single bytes through Read.
func (g *xzGuard) ReadByte() (byte, error) {
	c, err := g.in.ReadByte()
	if err == nil {
		g.follow([]byte{c})
	}
	if g.err != nil {
		return 0, g.err
	}
	return c, err
}

func (g *xzGuard) atEnd() bool { return g.ended && len(g.buf) == 0 && g.skip == 0 }

func (g *xzGuard) follow(p []byte) {
	if g.next == nil {
		g.next, g.want = (*xzGuard).stream, 4
	}
	for len(p) > 0 && g.err == nil {
		if g.skip > 0 {
			n := min(g.skip, int64(len(p)))
			g.skip -= n
			p = p[n:]
			continue
		}
		n := min(g.want-len(g.buf), len(p))
		g.buf = append(g.buf, p[:n]...)
		if p = p[n:]; len(g.buf) < g.want {
			return
		}
		if more := g.next(g); more > 0 {
			g.want += more
		}
	}
}

// to ends what is in buf and goes on with f, which first looks at want bytes.
func (g *xzGuard) to(f func(*xzGuard) int, want int) int {
	g.next, g.want, g.buf = f, want, g.buf[:0]
	return 0
}
