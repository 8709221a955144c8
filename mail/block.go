package mail

import "bytes"

// block collects one header block. Fields are cut out of buf at the end, since
// buf moves while it grows.
type block struct {
	buf   []byte
	spans []span
	known bool // one of its names is well known
	cut   bool // beyond a bound: lines are read and dropped
	open  bool // the last line kept belongs to the last span
	shift bool // all of it is indented
}

type span struct{ name, value, end int }

func (b *block) start(name, value []byte) {
	b.known = b.known || known(name)
	if b.open = b.room(len(name) + len(value)); !b.open {
		return
	}
	at := len(b.buf)
	b.buf = append(append(b.buf, name...), value...)
	b.spans = append(b.spans, span{at, at + len(name), len(b.buf)})
}

// fold adds a further line, or piece of a line, to the last field.
func (b *block) fold(text []byte) {
	if b.open = b.open && b.room(len(text)); b.open {
		b.buf = append(b.buf, text...)
		b.spans[len(b.spans)-1].end = len(b.buf)
	}
}

func (b *block) room(n int) bool {
	b.cut = b.cut || len(b.buf)+n > MaxHeaderBytes || len(b.spans) >= MaxFields
	return !b.cut
}

// has reports a field of that name.
func (b *block) has(name []byte) bool {
	for _, s := range b.spans {
		if bytes.EqualFold(b.buf[s.name:s.value], name) {
			return true
		}
	}
	return false
}

func (b *block) fields() Header {
	h := make(Header, len(b.spans))
	for i, s := range b.spans {
		h[i] = Field{string(b.buf[s.name:s.value]), trimEOL(b.buf[s.value:s.end:s.end])}
	}
	return h
}

// header reads a header block and leaves the lines at the body. ended says that
// the part ended in its header, at st.
func (s *scan) header() (h Header, st stop, ended bool) {
	var b block
	begin := s.in.at()
	for first := true; ; first = false {
		ln, ok := s.in.next()
		if !ok {
			st, ended = stop{level: atEnd, end: s.in.size}, true
			break
		}
		if level, closes, ok := s.delimiter(ln); ok {
			st, ended = stop{level, closes, ln.off}, true
			break
		}
		took := s.headerLine(&b, ln, first)
		if took == isBody {
			s.in.seek(ln.off)
		}
		if took == isFromLine {
			begin = s.in.at()
		}
		if took == isBody || took == isBlank {
			break
		}
	}
	if b.cut {
		s.defects.add(DefectHeaderCut)
	}
	if len(b.spans) > 0 && !b.known { // "Note: a text" is no header
		s.defects.add(DefectNoHeader)
		s.in.seek(begin)
		return nil, stop{}, false
	}
	return b.fields(), st, ended
}
