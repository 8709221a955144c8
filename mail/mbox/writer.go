package mbox

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"
)

// Writer writes messages to a mailbox. Flush it at the end.
type Writer struct {
	out *bufio.Writer
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{out: bufio.NewWriter(w)} }

// Add writes one message under a separator with its envelope sender, which may
// be "", and its date of arrival.
func (w *Writer) Add(from string, date time.Time, raw io.Reader) error {
	w.out.WriteString(fromPrefix + senderWord(from) + " " + date.UTC().Format(time.ANSIC) + "\n")
	q := quoter{out: w.out, state: lineStart}
	if _, err := io.Copy(&q, raw); err != nil {
		return err
	}
	return q.end()
}

// Flush writes what is buffered.
func (w *Writer) Flush() error { return w.out.Flush() }

// senderWord makes the sender fit into the line.
func senderWord(from string) string {
	from = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.TrimSpace(from))
	if from == "" || len(from) > maxFromLine/2 {
		return nobody
	}
	return from
}

// quoter puts one more ">" before "From " behind any number of ">" at the
// beginning of a line. Where in the run it stands makes no difference, so
// nothing but the letters of "From " is ever held back.
type quoter struct {
	out   *bufio.Writer
	state int // how much of "From " was read since the run; or one of the below
	any   bool
	last  byte
}

const (
	lineStart = 0
	inLine    = -1
)

func (q *quoter) Write(p []byte) (int, error) {
	if len(p) > 0 {
		q.any, q.last = true, p[len(p)-1]
	}
	n := len(p)
	for len(p) > 0 {
		if q.state == inLine {
			i := bytes.IndexByte(p, '\n') + 1
			if i == 0 {
				i = len(p)
			} else {
				q.state = lineStart
			}
			q.out.Write(p[:i])
			p = p[i:]
			continue
		}
		q.letter(p[0])
		p = p[1:]
	}
	return n, nil // bufio keeps the error until Flush
}

// letter takes one byte at the beginning of a line.
func (q *quoter) letter(c byte) {
	switch {
	case c == '>' && q.state == lineStart:
		q.out.WriteByte(c)
	case c == fromPrefix[q.state]:
		if q.state++; q.state == len(fromPrefix) {
			q.out.WriteString(">" + fromPrefix)
			q.state = inLine
		}
	default:
		q.release()
		q.out.WriteByte(c)
		if q.state = inLine; c == '\n' {
			q.state = lineStart
		}
	}
}

// release writes the letters that turned out not to be "From ".
func (q *quoter) release() {
	if q.state > 0 {
		q.out.WriteString(fromPrefix[:q.state])
	}
}

// end closes the message with a blank line, or the mark that its last line had
// no end.
func (q *quoter) end() error {
	q.release()
	if q.any && q.last != '\n' {
		q.out.WriteString("\n" + noEOL)
	} else {
		q.out.WriteByte('\n')
	}
	_, err := q.out.Write(nil)
	return err
}
