package mail

import "bytes"

// qpStep reads RFC 2045 6.7. Soft breaks may have blanks behind them or stand at
// the very end; what is no escape stands for itself.
type qpStep struct {
	held []byte // the end of a piece whose line goes on: an escape may be cut there
}

func (s *qpStep) line(out, in []byte, whole bool) []byte {
	if len(s.held) > 0 {
		in = append(s.held, in...)
		s.held = nil
	}
	if !whole {
		keep := bytes.LastIndexByte(in[max(0, len(in)-3):], '=')
		if keep >= 0 {
			keep += max(0, len(in)-3)
			s.held = bytes.Clone(in[keep:])
			in = in[:keep]
		}
		return unescape(out, in)
	}
	text := trimEOL(in)
	end := in[len(text):]
	text = bytes.TrimRight(text, " \t") // 6.7 (3): added on the way
	if soft := bytes.TrimSuffix(text, []byte("=")); len(soft) < len(text) {
		return unescape(out, soft)
	}
	return append(unescape(out, text), end...)
}

func (s *qpStep) tail(out []byte) []byte { return append(out, s.held...) }

func unescape(out, in []byte) []byte {
	for len(in) > 0 {
		i := bytes.IndexByte(in, '=')
		if i < 0 {
			return append(out, in...)
		}
		out = append(out, in[:i]...)
		in = in[i:]
		if len(in) > 2 && unhex(in[1]) >= 0 && unhex(in[2]) >= 0 {
			out = append(out, byte(unhex(in[1])<<4|unhex(in[2])))
			in = in[3:]
			continue
		}
		if len(in) > 1 && in[1] == '\r' { // a soft break where lines end in bare CR
			in = in[2:]
			continue
		}
		out, in = append(out, '='), in[1:]
	}
	return out
}

// uuStep reads uuencode, with or without its begin line (POSIX uuencode).
type uuStep struct {
	begun, ended bool
}

func (s *uuStep) line(out, in []byte, _ bool) []byte {
	in = trimEOL(in)
	switch {
	case s.ended || len(in) == 0:
		return out
	case !s.begun && bytes.HasPrefix(in, []byte("begin ")):
		s.begun = true
		return out
	case string(in) == "end":
		s.ended = true
		return out
	case !uuLine(in):
		return out
	}
	s.begun = true
	n := uuValue(in[0])
	for in = in[1:]; n > 0; in = in[min(4, len(in)):] {
		var q [4]byte
		for i := range min(4, len(in)) {
			q[i] = byte(uuValue(in[i]))
		}
		b := [3]byte{q[0]<<2 | q[1]>>4, q[1]<<4 | q[2]>>2, q[2]<<6 | q[3]}
		out = append(out, b[:min(n, 3)]...)
		n -= 3
	}
	return out
}

func (s *uuStep) tail(out []byte) []byte { return out }

func uuValue(c byte) int { return int(c-' ') & 63 }

// uuLine reports whether a line has the length that its first character says;
// trailing blanks may be lost, a checksum may follow.
func uuLine(in []byte) bool {
	if len(in) == 0 || in[0] < ' ' || in[0] > '`' {
		return false
	}
	n := uuValue(in[0])
	want := 1 + (n+2)/3*4
	return len(in) >= want-n%3-3 && len(in) <= want+2
}
