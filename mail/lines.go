package mail

import (
	"bytes"
	"io"
)

// window is how much of a message that is not in memory is looked at at once.
// A line longer than that comes in pieces.
const window = 64 << 10

// lines cuts a message into lines. In memory the window is the message itself.
type lines struct {
	src  io.ReaderAt
	size int64
	buf  []byte
	base int64 // offset of buf[0]
	pos  int   // first unread byte of buf
	eol  byte
	mid  bool // the last piece had no end of line
	err  error
}

// line is one line or a piece of one; valid until the next call of next.
type line struct {
	text []byte // with its end
	off  int64
	rest bool // continues the piece before
}

func linesOf(raw []byte) *lines {
	return (&lines{size: int64(len(raw)), buf: raw}).sense()
}

func linesAt(src io.ReaderAt, size int64) *lines {
	return (&lines{src: src, size: size}).sense()
}

// sense finds out whether lines end in CR alone, as on old Macs: then no LF
// stands in the beginning. Otherwise a bare CR is part of its line.
func (l *lines) sense() *lines {
	l.eol = '\n'
	head := l.ahead(8 << 10)
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		l.eol = '\r'
	}
	return l
}

// at is the offset of the first unread byte.
func (l *lines) at() int64 { return l.base + int64(l.pos) }

// ahead shows up to n unread bytes, which may lie beyond the line.
func (l *lines) ahead(n int) []byte {
	if len(l.buf)-l.pos < n {
		l.fill()
	}
	return l.buf[l.pos:min(len(l.buf), l.pos+n)]
}

// next gives the next line. It reports false at the end.
func (l *lines) next() (line, bool) {
	n, whole := l.length()
	if !whole {
		l.fill()
		n, whole = l.length()
	}
	if n == 0 {
		return line{}, false
	}
	ln := line{l.buf[l.pos : l.pos+n], l.base + int64(l.pos), l.mid}
	l.pos += n
	l.mid = !whole
	return ln, true
}

// length is how long the next line is. In memory, too, the pieces of a long one
// have the size of the window, so that it does not matter where a mail lies.
func (l *lines) length() (n int, whole bool) {
	rest := l.buf[l.pos:min(len(l.buf), l.pos+window)]
	if i := bytes.IndexByte(rest, l.eol); i >= 0 {
		return i + 1, true
	}
	return len(rest), false
}

// seek goes to the beginning of a line, back to the one just read too.
func (l *lines) seek(off int64) {
	l.mid = false
	if off >= l.base && off <= l.base+int64(len(l.buf)) {
		l.pos = int(off - l.base)
		return
	}
	l.base, l.pos, l.buf = off, 0, l.buf[:0]
}

// fill moves what is unread to the front and reads on until the window is full.
func (l *lines) fill() {
	end := l.base + int64(len(l.buf))
	if end >= l.size || l.err != nil || len(l.buf)-l.pos >= window {
		return
	}
	want := min(int64(window), l.size-l.base-int64(l.pos))
	if int64(cap(l.buf)) < want {
		l.buf = append(make([]byte, 0, want), l.buf[l.pos:]...)
	} else {
		l.buf = l.buf[:copy(l.buf[:cap(l.buf)], l.buf[l.pos:])]
	}
	l.base, l.pos = l.base+int64(l.pos), 0
	have := len(l.buf)
	n, err := l.src.ReadAt(l.buf[have:want], end)
	l.buf = l.buf[:have+n]
	if int64(have+n) < want {
		l.err = err // io.ReaderAt: never nil then
	}
}

// trimEOL takes the end of line off, whichever it is.
func trimEOL(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b
}
