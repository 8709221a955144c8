package mail

import (
	"strings"
	"unicode/utf16"
)

// word carries one control word out.
func (r *rtf) word(word string, n int, given bool) {
	switch {
	case word == "u" && given:
		r.unicode(n)
		r.skip = r.state.uc
	case word == "uc" && given:
		r.state.uc = min(max(n, 0), 10)
	case word == "ansicpg" && given:
		r.label = codepageName(int64(n))
	case word == "fromhtml":
		r.html = true
	case word == "htmltag":
		r.state.tag = true
	case word == "htmlrtf":
		r.flush()
		r.state.mute = !given || n != 0
	case rtfSilent[word]:
		r.state.drop = true
	case rtfWords[word] != "":
		r.put(rtfWords[word])
	}
}

// char is one byte of text in the document's charset.
func (r *rtf) char(c byte) {
	switch {
	case r.skip > 0:
		r.skip--
	case !r.shown():
	case c < 0x80 && len(r.bytes) == 0:
		r.out.WriteByte(c)
	default:
		if c < 0x80 && !r.trails() {
			r.flush()
			r.out.WriteByte(c)
			return
		}
		r.bytes = append(r.bytes, c)
	}
}

// trails reports whether the next byte is the second of a character: in the
// charsets of two bytes to one that may be ASCII.
func (r *rtf) trails() bool {
	n := 0
	for i := len(r.bytes) - 1; i >= 0 && r.bytes[i] >= 0x81; i-- {
		n++
	}
	return n%2 == 1 && find(r.label).kind == multi
}

// flush decodes the bytes gathered.
func (r *rtf) flush() {
	if len(r.bytes) > 0 {
		r.out.WriteString(find(r.label).run(r.bytes))
		r.bytes = r.bytes[:0]
	}
}

// put writes what a word stands for.
func (r *rtf) put(s string) {
	r.flush()
	if r.shown() {
		r.out.WriteString(s)
	}
}

// shown reports whether text is seen here. Of HTML in RTF it is not what stands
// for a tag.
func (r *rtf) shown() bool {
	return !r.state.drop && (!r.state.mute || !r.html)
}

// unicode writes \u, which counts in signed 16 bit, a half of a pair at a time.
func (r *rtf) unicode(n int) {
	u := n & 0xffff
	switch {
	case utf16.IsSurrogate(rune(u)) && u < 0xdc00:
		r.high = u
	case utf16.IsSurrogate(rune(u)):
		r.put(strings.ToValidUTF8(string(utf16.DecodeRune(rune(r.high), rune(u))), ""))
		r.high = 0
	default:
		r.put(string(rune(u)))
	}
}
