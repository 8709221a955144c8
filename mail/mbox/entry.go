package mbox

import (
	"bufio"
	"bytes"
	"io"
)

// Read gives the message as it was before it was quoted.
func (e *Entry) Read(p []byte) (int, error) {
	r := e.r
	if r.entry != e {
		return 0, io.EOF
	}
	for !r.settled && len(r.out) <= maxTail {
		before := len(r.out)
		r.line()
		r.total += int64(len(r.out) - before)
		if r.settled {
			r.out = r.out[:len(r.out)-r.trailer()]
		}
	}
	ready := r.out
	if !r.settled {
		ready = ready[:len(ready)-maxTail]
	}
	n := copy(p, ready)
	r.out = r.out[:copy(r.out, r.out[n:])]
	switch {
	case n > 0 || len(p) == 0:
		return n, nil
	case r.err != nil:
		return 0, r.err
	}
	return 0, io.EOF
}

// line moves one line, or a piece of one, to out.
func (r *Reader) line() {
	if r.atLine && r.blank && r.separator() {
		r.settled = true
		return
	}
	if head, _ := r.in.Peek(1); r.atLine && len(head) > 0 && head[0] == '>' {
		r.skip(1)
		r.owed = true
	}
	if r.owed {
		r.quotes()
		return
	}
	piece, err := r.in.ReadSlice('\n')
	r.off += int64(len(piece))
	r.out = append(r.out, piece...)
	r.blank = r.atLine && isBlank(piece)
	r.atLine = err == nil
	if err != nil && err != bufio.ErrBufferFull {
		r.settled = true
		if err != io.EOF {
			r.err = err
		}
	}
}

// quotes reads the run of ">" that begins a line. One was kept back: if "From "
// follows it was the writer's, else it is owed to the message.
func (r *Reader) quotes() {
	r.atLine, r.blank = false, false
	for range lineBuffer {
		head, _ := r.in.Peek(len(fromPrefix))
		if len(head) > 0 && head[0] == '>' {
			r.out = append(r.out, '>')
			r.skip(1)
			continue
		}
		if string(head) != fromPrefix {
			r.out = append(r.out, '>')
		}
		r.owed = false
		return
	}
}

// trailer is how many bytes at the end of out belong to the separator: the
// blank line, and the line end that the writer had to add.
func (r *Reader) trailer() int {
	whole := r.total == int64(len(r.out))
	for _, end := range [...]string{"\n" + noEOL, "\n\r\n", "\n\n"} {
		if bytes.HasSuffix(r.out, []byte(end)) {
			if end == "\n"+noEOL {
				return len(end)
			}
			return len(end) - 1
		}
	}
	if s := string(r.out[max(0, len(r.out)-maxTail):]); whole && (s == "\n" || s == "\r\n") {
		return len(s)
	}
	return 0
}

func isBlank(ln []byte) bool {
	return string(ln) == "\n" || string(ln) == "\r\n" || string(ln) == noEOL
}
