package smtp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// wire is a client's connection as go-smtp sees it. go-smtp's own reader of
// content misses the end after CR CR LF, loses bytes after a dot, and bounds
// lines; its BDAT mixes up transactions that follow one another. So go-smtp is
// given the commands only, each when it asks for one, and for a message the word
// DATA and at last a lone dot; the content goes from message to the session
// directly.
//
// One goroutine at a time uses a wire: that of the session, or that of go-smtp's
// LMTPData while the first waits for its answers. Only what mu guards is
// touched from elsewhere.
type wire struct {
	net.Conn
	server *Server
	in     *bufio.Reader // over timed
	out    *bufio.Writer // over timed; written out before anything is waited for

	pending []byte    // what go-smtp reads next
	stash   []byte    // a command that broke off a message
	failed  error     // what go-smtp gets from now on
	verb    string    // of the running command, one of verbs
	since   time.Time // when it came; zero for none

	chunks  *chunks  // of a BDAT that go-smtp has not accepted yet
	message *message // being received
	line    []byte   // of a reply, as far as go-smtp has written it
	silent  bool     // go-smtp answers a message that nobody waits for

	closing sync.Once

	mu        sync.Mutex
	draining  bool
	inMessage bool      // waits are for content; a drain breaks those that nothing comes in
	due       time.Time // for the end of this line or message
}

// maxLine holds any command line that go-smtp takes, and is the piece in which
// content is read.
const maxLine = 16 << 10

func newWire(s *Server, conn net.Conn) *wire {
	w := &wire{Conn: conn, server: s, verb: "session"}
	w.in = bufio.NewReaderSize(timed{w}, maxLine)
	w.out = bufio.NewWriterSize(timed{w}, 4<<10)
	return w
}

// Read gives go-smtp its next command or the end of a message.
func (w *wire) Read(p []byte) (int, error) {
	if len(w.pending) == 0 {
		if err := w.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.pending)
	w.pending = w.pending[n:]
	return n, nil
}

func (w *wire) next() error {
	if w.message != nil {
		return w.endMessage()
	}
	w.endCommand()
	if w.failed != nil {
		return w.failed
	}
	if w.chunks != nil { // of a BDAT that was refused
		if err := w.skipChunk(); err != nil {
			return err
		}
	}
	line := w.stash
	w.stash = nil
	if line == nil {
		var err error
		if line, err = w.command(); err != nil {
			return err
		}
	}
	w.begin(line)
	if w.verb == "BDAT" {
		return w.beginChunks(line)
	}
	w.pending = line
	return nil
}

// command waits for a line. One that is longer than any command comes without
// its end, and go-smtp refuses it.
func (w *wire) command() ([]byte, error) {
	w.expect(false, w.server.cfg.Timeouts.Command)
	line, err := w.in.ReadSlice('\n')
	switch {
	case err == nil, errors.Is(err, bufio.ErrBufferFull):
		if !w.isDraining() {
			return line, nil
		}
	case !w.isDraining():
		return nil, err
	}
	return nil, w.dismiss()
}

// dismiss is the last word to a client of a server that drains.
func (w *wire) dismiss() error {
	w.reply("421 4.3.2 %s shuts down, try again later", w.server.cfg.Hostname)
	return io.EOF
}

// begin notes what the following replies answer.
func (w *wire) begin(line []byte) {
	w.since = w.server.cfg.Now()
	w.verb = verbOf(line)
}

func (w *wire) endCommand() {
	if !w.since.IsZero() {
		w.server.metrics.commands.WithLabelValues(w.verb).Observe(w.server.cfg.Now().Sub(w.since).Seconds())
	}
	w.verb, w.since, w.silent = "session", time.Time{}, false
}

// verbOf reads a line as go-smtp does: four letters, then a space or the end.
func verbOf(line []byte) string {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) < 4 || len(line) > 4 && line[4] != ' ' {
		return "other"
	}
	if verb := strings.ToUpper(string(line[:4])); slices.Contains(verbs(), verb) {
		return verb
	}
	return "other"
}

// Close is called by the session's own goroutine, when it is over.
func (w *wire) Close() error {
	err := net.ErrClosed
	w.closing.Do(func() {
		w.endCommand()
		err = w.hangUp()
		w.server.leave(w)
	})
	return err
}
