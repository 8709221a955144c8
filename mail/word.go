package mail

import (
	"encoding/base64"
	"strings"
)

// words undoes encoded words (RFC 2047), also where they must not stand (in
// quotes, inside of words) and where they are cut off. The bytes of adjacent
// words of one charset are joined before decoding: characters are cut between
// them against 6.3 all the time.
func (c *charsets) words(s string) string {
	if !strings.Contains(s, "=?") {
		return s
	}
	var out strings.Builder
	var run wordRun
	flush := func() {
		out.WriteString(c.decode(run.bytes(), run.charset))
		run = wordRun{}
	}
	inRun := false
	for s != "" {
		i := strings.Index(s, "=?")
		if i < 0 {
			i = len(s)
		}
		w, ok := readWord(s[i:])
		if between := s[:i]; !inRun || !ok || strings.Trim(between, " \t") != "" { // 6.2: blanks between words vanish
			flush()
			out.WriteString(between)
		}
		s = s[i:]
		if inRun = ok; ok {
			if !strings.EqualFold(run.charset, w.charset) {
				flush()
			}
			run.add(w)
			s = s[w.size:]
		} else if s != "" {
			out.WriteString(s[:2])
			s = s[2:]
		}
	}
	flush()
	return out.String()
}

// wordRun is adjacent words of one charset.
type wordRun struct {
	charset string
	plain   []byte          // decoded word by word
	base64  strings.Builder // of words in base64 alone
	odd     bool            // one before the last has half a group of base64
	other   bool            // there are words in Q
}

func (r *wordRun) add(w word) {
	r.odd = r.odd || r.base64.Len()%4 != 0
	r.charset = w.charset
	r.plain = append(r.plain, w.bytes...)
	r.base64.WriteString(w.base64)
	r.other = r.other || w.base64 == ""
}

// bytes joins the words. Some mailers cut the base64 and not the text; that is so
// if only then the bytes make sense.
func (r *wordRun) bytes() []byte {
	if !r.odd || r.other {
		return r.plain
	}
	code, joined := find(cleanLabel(r.charset)), unbase64(r.base64.String())
	if strings.Contains(code.run(r.plain), "\ufffd") && !strings.Contains(code.run(joined), "\ufffd") {
		return joined
	}
	return r.plain
}

// word is one encoded word.
type word struct {
	charset string
	bytes   []byte
	base64  string // "" in Q
	size    int    // of its source
}

// readWord reads the encoded word at the beginning of s: "=?charset*language?Q?text?=".
func readWord(s string) (w word, ok bool) {
	if !strings.HasPrefix(s, "=?") {
		return w, false
	}
	head := s[2:min(len(s), 80)]
	i := strings.IndexByte(head, '?')
	if i < 0 || strings.ContainsAny(strings.Trim(head[:i], " \t"), " \t<>") || i+2 >= len(head) || head[i+2] != '?' {
		return w, false
	}
	w.charset, _, _ = strings.Cut(strings.Trim(head[:i], " \t"), "*") // RFC 2231 5
	begin := 2 + i + 3
	switch head[i+1] {
	case 'b', 'B':
		n, size := wordEnd(s[begin:], false)
		w.base64 = s[begin : begin+n]
		w.bytes, w.size = unbase64(w.base64), begin+size
	case 'q', 'Q':
		n, size := wordEnd(s[begin:], true)
		w.bytes, w.size = unQ(s[begin:begin+n]), begin+size
	default:
		return w, false
	}
	return w, true
}

// wordEnd finds the end of the text of a word and of the word. In Q, "?=" that
// two hex digits follow may be a question mark that was not encoded; then a
// later "?=" in the same run of characters ends the word. A word that is cut
// off ends at a blank.
func wordEnd(s string, q bool) (text, size int) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '?' && i+1 < len(s) && s[i+1] == '=':
			if q && i+3 < len(s) && unhex(s[i+2]) >= 0 && unhex(s[i+3]) >= 0 && closedLater(s[i+2:]) {
				continue
			}
			return i, i + 2
		case (s[i] == ' ' || s[i] == '\t') && !closedLater(s[i:]):
			return i, i
		}
	}
	return len(s), len(s)
}

// closedLater reports whether "?=" comes soon, before another word begins.
// 75 characters are what a word may have (RFC 2047 2); mailers take more.
func closedLater(s string) bool {
	s = s[:min(len(s), 200)]
	end := strings.Index(s, "?=")
	next := strings.Index(s, "=?")
	return end >= 0 && (next < 0 || end <= next+1)
}

// unQ undoes the Q encoding; what is no escape stands for itself.
func unQ(s string) []byte {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '_':
			b = append(b, ' ')
		case s[i] == '=' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			b = append(b, byte(unhex(s[i+1])<<4|unhex(s[i+2])))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return b
}

// unbase64 undoes base64 with missing padding and foreign characters.
func unbase64(s string) []byte {
	if b, err := base64.StdEncoding.DecodeString(s); err == nil {
		return b
	}
	var step base64Step
	return step.tail(step.line(nil, []byte(s), true))
}
