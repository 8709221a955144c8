package mail

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// leaf scans a part without structure of its own.
func (s *scan) leaf(p *Part) stop {
	if p.Encoding == Base64 && strings.HasPrefix(p.Type, "text/") && !s.base64Ahead() {
		s.defects.add(DefectEncoding)
		p.Encoding = Identity
	}
	if p.Type == "text/plain" && p.Encoding == Identity {
		return s.skip((&uuScan{text: p}).look)
	}
	return s.skip(nil)
}

// base64Ahead reports whether the body can be base64. Text that was only
// labelled so has other characters in it, or, if it is short, one character too
// many: no encoder leaves six bits. Base64 with junk in it still decodes to text.
func (s *scan) base64Ahead() bool {
	var step base64Step
	var out []byte
	n, pure := 0, true
	head := s.in.ahead(1 << 10)
	for _, ln := range bytes.Split(head, []byte{s.in.eol}) {
		ln = bytes.TrimSpace(ln)
		if bytes.HasPrefix(ln, []byte("--")) || n > 0 && pure && !pureBase64(ln) {
			break
		}
		pure = pure && pureBase64(ln)
		out = step.line(out, ln, true)
		n += len(ln)
	}
	if !pure {
		return len(out) > 8 && isText(out)
	}
	return n%4 != 1 || len(head) == 1<<10
}

// isText reports bytes that are ASCII or UTF-8 without control characters, up
// to a character cut off at the end.
func isText(b []byte) bool {
	for _, r := range string(b[:max(0, len(b)-utf8.UTFMax)]) {
		if r == utf8.RuneError || isControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return false
		}
	}
	return true
}
