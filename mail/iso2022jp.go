package mail

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// jisSet is what an escape sequence switches to.
type jisSet uint8

const (
	jisASCII jisSet = iota
	jisRoman
	jisKana
	jis0208
	jis0212
	jisChinese
	jisKorean
)

// jisEscapes are RFC 1468, its extensions RFC 2237 (JIS X 0212) and RFC 1554
// (Chinese and Korean), and what mailers add: half-width katakana (CP50221), the
// later editions of JIS X 0208, JIS X 0213, which is nearly the same.
var jisEscapes = []struct {
	seq string
	set jisSet
}{
	{"(B", jisASCII}, {"(J", jisRoman}, {"(H", jisRoman}, {"(I", jisKana},
	{"$(D", jis0212}, {"$(C", jisKorean}, {"$(A", jisChinese}, {"$A", jisChinese},
	{"$(@", jis0208}, {"$(B", jis0208}, {"$@", jis0208}, {"$B", jis0208}, {"$(O", jis0208}, {"$(Q", jis0208},
}

// decodeISO2022JP undoes ISO-2022-JP in all variants that mail is written in.
// x/text knows the first of them alone. Each line begins in ASCII (RFC 1468), so
// that a lost escape costs no more than its line.
func decodeISO2022JP(b []byte) []byte {
	j := jisReader{in: restoreEscapes(b), out: make([]byte, 0, len(b)+len(b)/2)}
	for j.i < len(j.in) {
		j.next()
	}
	j.flush()
	return j.out
}

type jisReader struct {
	in      []byte
	i       int
	out     []byte
	set     jisSet
	shifted bool              // SO: katakana in the left half
	latin   *charmap.Charmap  // G2 (RFC 1554): the upper half of Latin or Greek
	run     []byte            // double bytes not yet decoded, in an encoding for 8 bit
	code    encoding.Encoding // of run
}

func (j *jisReader) next() {
	c := j.in[j.i]
	switch {
	case c == 0x1b && j.escape():
	case c == 0x0e || c == 0x0f: // SO, SI
		j.flush()
		j.shifted = c == 0x0e
		j.i++
	case c == '\n' || c == '\r':
		j.flush()
		j.set, j.shifted, j.latin = jisASCII, false, nil
		j.put(rune(c))
	case c <= ' ' || c == 0x7f:
		j.flush()
		j.put(rune(c))
	case c >= 0xa1 && c <= 0xdf && (j.set < jis0208 || j.i+1 >= len(j.in) || j.in[j.i+1] < 0xa1): // CP50221: 8-bit katakana
		j.flush()
		j.put(rune(c) - 0xa1 + '｡')
	case c >= 0x80:
		j.flush()
		j.put(utf8.RuneError)
	case j.set == jisKana || j.shifted:
		j.kana(c)
	case j.set >= jis0208:
		j.double(c)
	case j.set == jisRoman && c == '\\':
		j.put('¥')
	case j.set == jisRoman && c == '~':
		j.put('‾')
	default:
		j.put(rune(c))
	}
}

func (j *jisReader) put(r rune) {
	j.out = utf8.AppendRune(j.out, r)
	j.i++
}

func (j *jisReader) kana(c byte) {
	j.flush()
	if c > 0x5f {
		j.put(utf8.RuneError)
		return
	}
	j.put(rune(c) - 0x21 + '｡')
}

// double takes two bytes of a set of 94 x 94.
func (j *jisReader) double(c byte) {
	if j.i+1 >= len(j.in) || j.in[j.i+1] <= ' ' || j.in[j.i+1] >= 0x7f {
		j.flush()
		j.put(utf8.RuneError)
		return
	}
	var code encoding.Encoding = japanese.EUCJP
	switch j.set {
	case jisChinese:
		code = simplifiedchinese.GBK
	case jisKorean:
		code = korean.EUCKR
	}
	if j.code != code {
		j.flush()
		j.code = code
	}
	if j.set == jis0212 {
		j.run = append(j.run, 0x8f)
	}
	j.run = append(j.run, c|0x80, j.in[j.i+1]|0x80)
	j.i += 2
}

func (j *jisReader) flush() {
	if len(j.run) > 0 {
		out, _ := j.code.NewDecoder().Bytes(j.run)
		j.out, j.run = append(j.out, out...), j.run[:0]
	}
}

// escape takes an escape sequence; one that is unknown is dropped.
func (j *jisReader) escape() bool {
	rest := j.in[j.i+1:]
	for _, e := range jisEscapes {
		if bytes.HasPrefix(rest, []byte(e.seq)) {
			j.flush()
			j.set, j.i = e.set, j.i+1+len(e.seq)
			return true
		}
	}
	switch {
	case bytes.HasPrefix(rest, []byte(".A")):
		j.latin, j.i = charmap.ISO8859_1, j.i+3
	case bytes.HasPrefix(rest, []byte(".F")):
		j.latin, j.i = charmap.ISO8859_7, j.i+3
	case bytes.HasPrefix(rest, []byte("&@")): // the edition of 1990
		j.i += 3
	case len(rest) > 1 && rest[0] == 'N' && j.latin != nil: // single shift
		j.flush()
		j.i += 2
		j.put(j.latin.DecodeByte(rest[1] | 0x80))
	default:
		j.flush()
		j.put(utf8.RuneError)
	}
	return true
}

// restoreEscapes puts back the escapes that a gateway took out as control
// characters: text labelled so that has none, but what stands behind them.
func restoreEscapes(b []byte) []byte {
	if bytes.IndexByte(b, 0x1b) >= 0 || bytes.IndexByte(b, 0x0e) >= 0 {
		return b
	}
	var out []byte
	for rest := b; ; {
		i := bytes.Index(rest, []byte("$B"))
		end := -1
		if i >= 0 {
			end = jisEnd(rest[i+2:])
		}
		if end < 0 {
			if out == nil {
				return b
			}
			return append(out, rest...)
		}
		end += i + 2
		out = append(append(out, rest[:i]...), 0x1b)
		out = append(append(out, rest[i:end]...), 0x1b)
		out = append(out, rest[end:end+2]...)
		rest = rest[end+2:]
	}
}

// jisEnd finds "(B" or "(J" after an even number of bytes that may be double.
func jisEnd(b []byte) int {
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == '(' && (b[i+1] == 'B' || b[i+1] == 'J') {
			if i == 0 {
				return -1
			}
			return i
		}
		if b[i] <= ' ' || b[i+1] <= ' ' || b[i] >= 0x7f || b[i+1] >= 0x7f {
			return -1
		}
	}
	return -1
}
