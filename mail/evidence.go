package mail

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// survey looks for 8 bit bytes and for the beginnings of stateful encodings.
func survey(b []byte) (high, escape bool) {
	for _, x := range b {
		if x >= 0x80 {
			return true, escape
		}
		escape = escape || x == 0x1b
	}
	return false, escape
}

// escaped tells from its first escape sequence what a 7-bit text really is (RFC
// 1468, RFC 1554, RFC 1557).
func escaped(b []byte, escape bool) string {
	if !escape {
		return ""
	}
	for i, c := range b {
		if c != 0x1b {
			continue
		}
		rest := b[i+1:]
		if bytes.HasPrefix(rest, []byte("$)C")) {
			return "iso-2022-kr"
		}
		for _, e := range jisEscapes {
			if e.set > jisRoman && bytes.HasPrefix(rest, []byte(e.seq)) {
				return "iso-2022-jp"
			}
		}
	}
	return ""
}

// isJIS reports text of ISO-2022-JP in which half-width katakana stand in 8 bit,
// as CP50221 has it: it has escapes, or is nothing else that has 8 bit.
func isJIS(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 && (c < 0xa1 || c > 0xdf) {
			return false
		}
	}
	return escaped(b, true) == "iso-2022-jp"
}

// dense reports whether the text is too full of 8 bit for a Latin script.
func dense(b []byte) bool {
	high, letters := 0, 0
	for _, x := range b {
		if x >= 0x80 {
			high++
		}
		if x > ' ' {
			letters++
		}
	}
	return high >= 6 && high*3 > letters
}

// surelyUTF8 reports whether it is no chance that bytes are valid UTF-8, though
// they could be read in an encoding of two bytes to a character.
func surelyUTF8(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	two, three := 0, 0
	for _, x := range b {
		if x >= 0xe0 {
			three++
		} else if x >= 0xc0 {
			two++
		}
	}
	return three >= 3 || two+three >= 8
}

// clean reports whether decoding lost almost nothing.
func clean(s string) bool {
	n := strings.Count(s, "\ufffd")
	return n == 0 || n*100 < utf8.RuneCountInString(s)
}

func bomOf(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe\x00\x00")):
		return "utf-32le"
	case bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff")):
		return "utf-32be"
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return "utf-16be"
	}
	return ""
}
