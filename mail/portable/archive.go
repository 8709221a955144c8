package portable

import (
	"bufio"
	"bytes"
	"io"
	"math"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/mbox"
)

// ErrNoArchive says that bytes are nothing that mail is kept in.
var ErrNoArchive = parley.E(parley.BadContent, "portable.open", "this is no zip, tar, mbox or message")

// Archive finds out what bytes from anybody are: a zip or a tar (also compressed)
// of a Maildir, of .eml files or of mboxes, an mbox (also compressed), or one message.
func Archive(r io.ReaderAt, size int64, name string) (*Source, error) {
	b, o := newBudget(size), &origin{ReaderAt: r, left: math.MaxInt64}
	head := make([]byte, 4)
	if n, err := o.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	} else if bytes.Equal(head[:n], []byte("PK\x03\x04")) || bytes.Equal(head[:n], []byte("PK\x05\x06")) {
		t, err := newZip(o, size, b)
		return &Source{name: name, tree: t, b: b}, err
	}
	open := func() (io.Reader, error) {
		b.begin()
		in, err := mbox.Unpack(io.NewSectionReader(o, 0, size))
		return judged{counted{in, b}, o}, o.judge(err)
	}
	in, err := open()
	if err != nil {
		return nil, err
	}
	start := bufio.NewReaderSize(in, lookBytes)
	head, err = start.Peek(lookBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case isTar(head):
		return &Source{name: name, tree: tarTree{open, o, b}, b: b}, nil
	case isMail(head):
		return &Source{name: name, b: b, open: func() (io.ReadCloser, error) {
			in, err := open()
			return io.NopCloser(in), err
		}}, nil
	}
	return nil, ErrNoArchive
}

// lookBytes are looked at to tell what a file is.
const lookBytes = 4 << 10

// isMail reports whether an mbox or a message begins: with a line that parts
// messages, or with a header field (RFC 5322 2.2).
func isMail(head []byte) bool {
	head = bytes.TrimLeft(head, "\r\n")
	if bytes.HasPrefix(head, []byte("From ")) {
		return true
	}
	line, _, whole := bytes.Cut(head, []byte("\n"))
	name, _, field := bytes.Cut(line, []byte(":"))
	name = bytes.TrimRight(name, " \t")
	return whole && field && len(name) > 0 && bytes.IndexFunc(name, func(c rune) bool { return c <= ' ' || c > '~' }) < 0
}
