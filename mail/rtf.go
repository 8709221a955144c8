package mail

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// rtfPrimer is what the dictionary of compressed RTF begins with (MS-OXRTFCP 2.1.2.1).
const rtfPrimer = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
	"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// inflateRTF undoes MS-OXRTFCP, up to most bytes of output. Nothing is checked
// but bounds: what is wrong ends it.
func inflateRTF(b []byte, most int) []byte {
	if len(b) < 16 {
		return nil
	}
	magic := string(b[8:12])
	raw := int(min(int64(binary.LittleEndian.Uint32(b[4:])), int64(most)))
	b = b[16:]
	if magic == "MELA" {
		return b[:min(len(b), raw)]
	}
	if magic != "LZFu" {
		return nil
	}
	var dict [4096]byte
	at := copy(dict[:], rtfPrimer)
	out := make([]byte, 0, min(raw, 9*len(b)))
	put := func(c byte) {
		out = append(out, c)
		dict[at] = c
		at = (at + 1) % len(dict)
	}
	for len(b) > 0 {
		control := b[0]
		b = b[1:]
		for bit := range 8 {
			if len(out) >= raw {
				return out
			}
			if control>>bit&1 == 0 {
				if len(b) < 1 {
					return out
				}
				put(b[0])
				b = b[1:]
				continue
			}
			if len(b) < 2 {
				return out
			}
			token := int(b[0])<<8 | int(b[1])
			b = b[2:]
			from := token >> 4
			if from == at {
				return out
			}
			for i := range token&0xf + 2 {
				put(dict[(from+i)%len(dict)])
			}
		}
	}
	return out
}

// rtf turns RTF into text, or into the HTML that was put into it (MS-OXRTFEX):
// tags stand in groups of their own, and what stands for them in RTF is marked.
type rtf struct {
	out   strings.Builder
	cs    *charsets
	label string
	bytes []byte // 8 bit, until the next that is none
	html  bool
	skip  int // characters that stand for the \u before
	state rtfGroup
	stack []rtfGroup
	high  int // of a surrogate pair
}

type rtfGroup struct {
	drop bool // nothing in it is text
	mute bool // \htmlrtf
	tag  bool // \*\htmltag
	uc   int
}

const maxRTFDepth = 200

// rtfSilent are the groups that hold no text.
var rtfSilent = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true, "header": true, "footer": true,
	"headerl": true, "headerr": true, "footerl": true, "footerr": true, "listtable": true, "filetbl": true, "themedata": true,
}

// rtfWords are the words that stand for text.
var rtfWords = map[string]string{
	"par": "\n", "line": "\n", "tab": "\t", "row": "\n", "cell": "\t", "emdash": "—", "endash": "–", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ", "page": "\n",
}

func readRTF(b []byte, cs *charsets) (text string, isHTML bool) {
	if !strings.HasPrefix(string(b[:min(len(b), 5)]), `{\rtf`) {
		return "", false
	}
	r := &rtf{cs: cs, label: "windows-1252", state: rtfGroup{uc: 1}}
	s := string(b)
	for i := 0; i < len(s); {
		i = r.next(s, i)
	}
	r.flush()
	return r.out.String(), r.html
}

// next takes one token and gives the place behind it.
func (r *rtf) next(s string, i int) int {
	switch c := s[i]; c {
	case '{':
		r.flush()
		if len(r.stack) < maxRTFDepth {
			r.stack = append(r.stack, r.state)
		}
		r.skip = 0
	case '}':
		r.flush()
		if n := len(r.stack); n > 0 {
			r.state, r.stack = r.stack[n-1], r.stack[:n-1]
		}
		r.skip = 0
	case '\\':
		return r.control(s, i+1)
	case '\r', '\n':
	default:
		r.char(c)
	}
	return i + 1
}

// control takes a control word or symbol.
func (r *rtf) control(s string, i int) int {
	if i >= len(s) {
		return i
	}
	if c := s[i]; c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
		return r.symbol(s, i)
	}
	j := i
	for j < len(s) && (s[j] >= 'a' && s[j] <= 'z' || s[j] >= 'A' && s[j] <= 'Z') && j-i < 40 {
		j++
	}
	word, k := s[i:j], j
	if k < len(s) && s[k] == '-' {
		k++
	}
	for k < len(s) && s[k] >= '0' && s[k] <= '9' && k-j < 11 {
		k++
	}
	n, err := strconv.Atoi(s[j:k])
	if k < len(s) && s[k] == ' ' {
		k++
	}
	r.word(word, n, err == nil)
	return k
}

func (r *rtf) symbol(s string, i int) int {
	switch c := s[i]; c {
	case '\'':
		if i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0 {
			r.char(byte(unhex(s[i+1])<<4 | unhex(s[i+2])))
			return i + 3
		}
	case '*':
		if !strings.HasPrefix(s[i+1:], `\htmltag`) {
			r.state.drop = true
		}
	case '{', '}', '\\':
		r.char(c)
	case '~':
		r.put("\u00a0")
	case '_':
		r.put("-")
	case '\r', '\n':
		r.put("\n")
	}
	return i + 1
}
