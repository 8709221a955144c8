package mail

import (
	"strings"
	"unicode/utf8"
)

// unfold takes the line breaks out of a header value (RFC 5322 2.2.3). A break
// that no white space follows becomes a blank, so that words stay apart.
func unfold(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return strings.Trim(s, " \t")
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\r' && c != '\n' {
			b.WriteByte(c)
		} else if i+1 < len(s) && !strings.ContainsRune(" \t\r\n", rune(s[i+1])) {
			b.WriteByte(' ')
		}
	}
	return strings.Trim(b.String(), " \t")
}

// oneLine makes text that can stand in one line anywhere: valid, no control
// characters, nothing that reorders what stands around it.
func oneLine(s string) string {
	if isPlain(s) {
		return strings.TrimSpace(s)
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			return ' '
		case isControl(r), 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == '\ufeff':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.TrimSpace(s)
}

// safeText makes text of several lines: valid, lines end in LF, no control
// characters but LF and TAB, no blank lines around it.
func safeText(s string) string {
	if !isPlain(s) {
		s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
		s = strings.Map(func(r rune) rune {
			switch {
			case r == '\n' || r == '\t':
				return r
			case r == '\r' || r == '\f' || r == '\u2028' || r == '\u2029' || r == '\u0085':
				return '\n'
			case isControl(r), r == '\ufeff':
				return -1
			}
			return r
		}, s)
	}
	return trimBlank(s)
}

// trimBlank takes blank lines off both ends; the first line keeps its indentation.
func trimBlank(s string) string {
	s = strings.TrimRight(s, " \t\n")
	for {
		i := strings.IndexByte(s, '\n')
		if i < 0 || strings.TrimSpace(s[:i]) != "" {
			return s
		}
		s = s[i+1:]
	}
}

// isControl covers C0, DEL and C1: RFC 20, ISO 6429.
func isControl(r rune) bool { return r < ' ' || 0x7f <= r && r < 0xa0 }

// isPlain reports printable ASCII, which most headers are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// utf8 gives a raw header value as UTF-8. Raw 8 bit is legal only as UTF-8 (RFC
// 6532); the rest is detected.
func (c *charsets) utf8(raw []byte) string {
	high, escape := survey(raw)
	if !high && !escape || high && utf8.Valid(raw) {
		return string(raw)
	}
	return c.decode(raw, "")
}

// text is a raw header value as people should see it.
func (c *charsets) text(raw []byte) string {
	return oneLine(c.words(unfold(c.utf8(raw))))
}
