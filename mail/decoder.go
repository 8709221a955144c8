package mail

import (
	"bufio"
	"encoding/base64"
	"io"
)

// step undoes one transfer encoding. line takes one line, or a piece of one if
// whole is false, and appends what it decodes; tail appends what is left.
type step interface {
	line(out, in []byte, whole bool) []byte
	tail(out []byte) []byte
}

// decoder runs a step over a part, line by line, in bounded memory.
type decoder struct {
	in   *bufio.Reader
	step step
	buf  []byte
	out  []byte // of buf, not yet read
	err  error
}

func newDecoder(r io.Reader, size int64, s step) *decoder {
	return &decoder{in: bufio.NewReaderSize(r, int(min(size+16, 32<<10))), step: s, buf: make([]byte, 0, min(size+16, 8<<10))}
}

func (d *decoder) Read(p []byte) (int, error) {
	for len(d.out) == 0 && d.err == nil {
		d.buf = d.buf[:0]
		for len(d.buf) < 4<<10 && d.err == nil {
			ln, err := d.in.ReadSlice('\n')
			d.buf = d.step.line(d.buf, ln, err != bufio.ErrBufferFull)
			if err == io.EOF {
				d.buf = d.step.tail(d.buf)
			}
			if err != bufio.ErrBufferFull {
				d.err = err
			}
		}
		d.out = d.buf
	}
	n := copy(p, d.out)
	if d.out = d.out[n:]; n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, d.err
}

// base64Step reads RFC 2045 6.8 with junk in it. After padding only lines that
// are base64 throughout go on: encoders that pad each piece do so, footers that
// a list put under the text do not.
type base64Step struct {
	bits   uint32
	n      int
	padded bool
}

var base64Value = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := range len(base64Alphabet) {
		t[base64Alphabet[i]] = int8(i)
	}
	t['='] = -2
	return t
}()

func (s *base64Step) line(out, in []byte, _ bool) []byte {
	if s.padded && (!pureBase64(trimEOL(in)) || len(trimEOL(in))%4 != 0) {
		return out
	}
	if out, ok := s.clean(out, trimEOL(in)); ok {
		return out
	}
	for _, c := range in {
		v := base64Value[c]
		if v < 0 {
			if v == -2 && s.n > 0 {
				out, s.padded = s.tail(out), true
			}
			continue
		}
		s.bits = s.bits<<6 | uint32(v)
		if s.n++; s.n == 4 {
			out = append(out, byte(s.bits>>16), byte(s.bits>>8), byte(s.bits))
			s.bits, s.n = 0, 0
		}
	}
	return out
}

// clean takes a whole line without junk the fast way.
func (s *base64Step) clean(out, ln []byte) ([]byte, bool) {
	if s.n != 0 || len(ln)%4 != 0 || len(ln) == 0 {
		return out, false
	}
	whole, err := base64.StdEncoding.AppendDecode(out, ln)
	if err != nil {
		return out, false
	}
	s.padded = s.padded || ln[len(ln)-1] == '='
	return whole, true
}

func (s *base64Step) tail(out []byte) []byte {
	switch s.n {
	case 2:
		out = append(out, byte(s.bits>>4))
	case 3:
		out = append(out, byte(s.bits>>10), byte(s.bits>>2))
	}
	s.bits, s.n = 0, 0
	return out
}

func pureBase64(ln []byte) bool {
	for _, c := range ln {
		if base64Value[c] == -1 {
			return false
		}
	}
	return true
}
