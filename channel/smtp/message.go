package smtp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"github.com/parley-im/parley"
)

// message is the content of one mail while it is received. Read ends in io.EOF
// only when all of it was there.
type message struct {
	wire   *wire
	source interface {
		// next gives a piece, good until the following call; io.EOF after the last.
		next() ([]byte, error)
	}
	rest  []byte // of the last piece
	size  int64
	told  bool      // the reader has met the end of a whole message
	end   error     // how the source ended: io.EOF, errAbandoned, or why the client is gone
	ended time.Time // when
	onEnd func()    // told once; nil for nobody
}

// errAbandoned is how a message ends whose client sent another command instead.
var errAbandoned = errors.New("the client gave the message up")

// openMessage begins to read what go-smtp has just asked the client for.
func (w *wire) openMessage() *message {
	w.expect(true, w.server.cfg.Timeouts.Message)
	w.message = &message{wire: w, source: &dotted{wire: w, fresh: true}}
	if w.chunks != nil {
		w.message.source = w.chunks
		w.chunks.tooLarge = w.message.tooLarge
		w.chunks = nil
	}
	return w.message
}

// endMessage shows go-smtp the end that it looks for, or that there is none.
func (w *wire) endMessage() error {
	end := w.message.end
	w.message = nil
	if end == io.EOF || end == errAbandoned {
		w.pending = []byte(".\r\n")
		return nil
	}
	return w.fail(end)
}

// fail makes err all that go-smtp reads from now on. It leaves without a word at
// io.EOF, and with 421 when the client was too slow.
func (w *wire) fail(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = io.EOF
	case errors.Is(err, os.ErrDeadlineExceeded) && w.isDraining():
		err = w.dismiss()
	}
	w.failed = err
	return err
}

func (m *message) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		switch {
		case m.tooLarge():
			return 0, parley.E(parley.TooLarge, "smtp.message", "")
		case m.end == io.EOF:
			m.told = true
			return 0, io.EOF
		case m.end != nil:
			return 0, &parley.Error{Code: parley.Unavailable, Op: "smtp.message", Err: m.end}
		}
		m.advance()
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func (m *message) advance() {
	m.rest, m.end = m.source.next()
	m.size += int64(len(m.rest))
	if m.tooLarge() {
		m.rest = nil
	}
	if m.end == nil {
		return
	}
	m.ended = m.wire.server.cfg.Now()
	if m.onEnd != nil {
		m.onEnd()
	}
}

func (m *message) tooLarge() bool { return m.size > m.wire.server.cfg.MaxBytes }

// drain reads on to the end, since only there can the client hear an answer.
func (m *message) drain() {
	for m.end == nil {
		m.advance()
	}
	m.rest = nil
}

// dotted is the content after DATA (RFC 5321 4.5.2). A line begins after CRLF and
// nowhere else: a bare LF or CR is content, so that what one server takes for the
// end of a message is not another's beginning of a forged one.
type dotted struct {
	wire  *wire
	fresh bool // at the beginning of a line
	cr    bool // the last byte was CR
}

func (d *dotted) next() ([]byte, error) {
	piece, err := d.wire.in.ReadSlice('\n') // up to LF, or what the buffer holds
	switch {
	case errors.Is(err, io.EOF):
		return nil, io.ErrUnexpectedEOF
	case err != nil && !errors.Is(err, bufio.ErrBufferFull):
		return nil, err
	case d.fresh && string(piece) == ".\r\n":
		return nil, io.EOF
	}
	content := piece
	if d.fresh {
		content = bytes.TrimPrefix(piece, []byte("."))
	}
	d.fresh = bytes.HasSuffix(piece, []byte("\r\n")) || d.cr && string(piece) == "\n"
	d.cr = piece[len(piece)-1] == '\r'
	return content, nil
}
