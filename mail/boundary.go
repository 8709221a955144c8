package mail

import (
	"bytes"
	"strings"
)

// delimiter reports whether a line ends a part: "--", an open boundary, "--" if
// it closes, blanks. The innermost multipart wins when two share a boundary.
func (s *scan) delimiter(ln line) (level int, closes, ok bool) {
	if ln.rest || len(s.open) == 0 || len(ln.text) < 3 || ln.text[0] != '-' || ln.text[1] != '-' {
		return 0, false, false
	}
	b := bytes.TrimRight(ln.text[2:], " \t\r\n")
	if level, ok := s.open[string(b)]; ok {
		return level, false, true
	}
	b, dashes := bytes.CutSuffix(b, []byte("--"))
	level, ok = s.open[string(b)]
	return level, true, ok && dashes
}

// openBoundary makes b the boundary of a new level and gives the level that
// used it before.
func (s *scan) openBoundary(b string) (outer int) {
	s.level++
	outer = s.open[b]
	if b != "" {
		s.open[b] = s.level
	}
	return outer
}

func (s *scan) shutBoundary(b string, outer int) {
	if delete(s.open, b); outer != 0 {
		s.open[b] = outer
	}
}

// sniff looks for the boundary that a multipart really uses: a line that might
// be one, with a MIME field in the next.
type sniff struct {
	token string
	off   int64
}

func (g *sniff) look(s *scan, ln line) {
	if g.token != "" || ln.rest || len(ln.text) < 4 || ln.text[0] != '-' || ln.text[1] != '-' {
		return
	}
	token, off := strings.TrimSpace(string(ln.text[2:])), ln.off
	if strings.ContainsAny(token, " \t") || len(token) > maxBoundary || len(token) == 0 {
		return
	}
	if bytes.EqualFold(s.in.ahead(8), []byte("Content-")) {
		g.token, g.off = token, off
	}
}

func defaultKind(multipart string) string {
	if multipart == "multipart/digest" { // RFC 2046 5.1.5
		return "message/rfc822"
	}
	return "text/plain"
}
