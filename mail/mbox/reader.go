package mbox

import (
	"bufio"
	"bytes"
	"io"
	"time"
)

// Entry is one message of a mailbox. It is read from until io.EOF; the next
// call of Reader.Next skips what is left.
type Entry struct {
	EnvelopeFrom string    // "" if the line in front names none
	Date         time.Time // of that line; zero if it has none
	Offset       int64     // of that line in the decompressed file

	r *Reader
}

// Reader reads the messages of a mailbox in turn.
type Reader struct {
	in    *bufio.Reader
	off   int64
	entry *Entry
	sep   *fromLine // the separator behind the entry; nil at the end of the file

	out     []byte // of the message; the last bytes may be of the separator until settled
	total   int64  // bytes of the message that came into out
	settled bool
	atLine  bool // the input stands at the beginning of a line
	blank   bool // the line before was empty
	owed    bool // a ">" was taken off a line that may not have been quoted
	err     error
}

const (
	lineBuffer = 64 << 10
	maxTail    = len("\n" + noEOL) // the longest end of a message that is not its own
)

// NewReader reads an mbox that is not compressed.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, lineBuffer)}
}

// Next goes to the next message; io.EOF after the last.
func (r *Reader) Next() (*Entry, error) {
	if r.entry == nil {
		if err := r.begin(); err != nil {
			return nil, err
		}
	} else {
		if _, err := io.Copy(io.Discard, r.entry); err != nil {
			return nil, err
		}
		if r.sep == nil {
			return nil, io.EOF
		}
	}
	e := &Entry{Offset: r.off, r: r}
	if r.sep != nil {
		e.EnvelopeFrom, e.Date, e.Offset = r.sep.from, r.sep.date, r.sep.off
	}
	*r = Reader{in: r.in, off: r.off, entry: e, out: r.out[:0], atLine: true}
	return e, nil
}

// begin skips blank lines in front, and the first separator. Without one the
// file begins with a message all the same.
func (r *Reader) begin() error {
	for {
		head, err := r.in.Peek(2)
		switch {
		case len(head) == 0:
			return err
		case head[0] == '\n':
			r.skip(1)
		case string(head) == "\r\n":
			r.skip(2)
		default:
			r.separator()
			return nil
		}
	}
}

func (r *Reader) skip(n int) {
	n, _ = r.in.Discard(n)
	r.off += int64(n)
}

// separator takes a From line off the input, if one stands there.
func (r *Reader) separator() bool {
	if head, _ := r.in.Peek(len(fromPrefix)); string(head) != fromPrefix {
		return false
	}
	ln, _ := r.in.Peek(maxFromLine)
	if i := bytes.IndexByte(ln, '\n'); i >= 0 {
		ln = ln[:i+1]
	}
	sep, ok := parseFrom(string(ln))
	if ok {
		sep.off, r.sep = r.off, &sep
		r.skip(len(ln))
	}
	return ok
}
