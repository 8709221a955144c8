package smtp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// chunks is the content of a message in BDAT commands (RFC 3030 section 2).
// go-smtp takes it for one DATA.
type chunks struct {
	wire     *wire
	left     uint64 // bytes of this chunk
	size     uint64
	last     bool
	tooLarge func() bool // set once the message is open
}

// parse reads the arguments of BDAT.
func (c *chunks) parse(line []byte) bool {
	args := strings.Fields(string(line))[1:]
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && !strings.EqualFold(args[1], "LAST") {
		return false
	}
	size, err := strconv.ParseUint(args[0], 10, 63)
	c.size, c.left, c.last = size, size, len(args) == 2
	return err == nil
}

// beginChunks turns the first BDAT of a message into DATA.
func (w *wire) beginChunks(line []byte) error {
	c := &chunks{wire: w}
	if !c.parse(line) {
		return w.lost()
	}
	w.chunks = c
	w.pending = []byte("DATA\r\n")
	return nil
}

// lost ends a session in which nobody knows where the next command begins:
// guessing would take content for commands.
func (w *wire) lost() error {
	w.reply("501 5.5.4 Where this chunk ends cannot be known, closing")
	return w.fail(io.ErrUnexpectedEOF)
}

// skipChunk reads the chunk that follows a refused BDAT (RFC 3030 section 2: the
// octets are sent all the same).
func (w *wire) skipChunk() error {
	c := w.chunks
	w.chunks = nil
	w.expect(true, w.server.cfg.Timeouts.Message)
	for c.left > 0 {
		if _, err := c.piece(); err != nil {
			return w.fail(err)
		}
	}
	return nil
}

func (c *chunks) next() ([]byte, error) {
	for c.left == 0 {
		if c.last {
			return nil, io.EOF
		}
		if c.tooLarge() {
			c.wire.reply("552 5.3.4 This is larger than is taken here.")
			return nil, errAbandoned
		}
		c.wire.reply("250 2.0.0 %d octets received", c.size)
		if err := c.command(); err != nil {
			return nil, err
		}
	}
	return c.piece()
}

// piece is what has come of the chunk.
func (c *chunks) piece() ([]byte, error) {
	_, err := c.wire.in.Peek(1)
	if errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	n := int(min(uint64(c.wire.in.Buffered()), c.left))
	piece, err := c.wire.in.Peek(n)
	c.wire.in.Discard(n)
	c.left -= uint64(n)
	return piece, err
}

// command reads what follows a chunk: the next one, or a command that breaks the
// message off and is carried out after it.
func (c *chunks) command() error {
	w := c.wire
	for {
		line, err := w.in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		verb := verbOf(line)
		if verb != "BDAT" && verb != "NOOP" {
			w.stash = bytes.Clone(line)
			return errAbandoned
		}
		w.endCommand()
		w.begin(line)
		switch {
		case verb == "NOOP":
			w.reply("250 2.0.0 I have successfully done nothing")
		case c.parse(line):
			return nil
		default:
			return w.lost()
		}
	}
}
