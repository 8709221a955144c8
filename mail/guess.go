package mail

import (
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding/charmap"
)

// guess decodes 8-bit bytes whose label is missing or wrong: UTF-8 if nearly
// all of it is that, else what the rest of the message is in, else what its
// statistics say, else windows-1252, in which every mailer has always lied.
func (c *charsets) guess(b []byte, label string) string {
	if good, bad := sequences(b); good > 0 && (good >= 4*bad || bad == 1) {
		return mended(b)
	}
	if c.hint == "" && c.more != nil {
		c.hint = c.detect(c.more())
	}
	c.more = nil
	if hint := cleanLabel(c.hint); hint != "" && hint != label {
		if code := find(hint); (code.kind == single || code.kind == multi) && code.believable(b, true) {
			return code.run(b)
		}
	}
	if code := find(c.detect(b)); code.decode != nil {
		if s := code.run(b); strings.Count(s, "\ufffd")*10 <= utf8.RuneCountInString(s) {
			return s
		}
	}
	if code := find(label); code.kind == latin || code.kind == single {
		return code.run(b)
	}
	return find("windows-1252").run(b)
}

// detect asks the statistics. They need several bytes, and some that do not
// stand alone among ASCII letters as in Latin scripts.
func (c *charsets) detect(b []byte) (name string) {
	sample := sampleOf(b)
	if c.left <= 0 || !runs(sample) {
		return ""
	}
	c.left--
	defer func() {
		if recover() != nil { // the one piece here whose bounds are not ours
			name = ""
		}
	}()
	r := chardet.Detect(sample)
	switch name = cleanLabel(r.Charset); {
	case r.Confidence < 0.5, strings.HasPrefix(name, "utf-"), name == "macintosh", name == "macroman", name == "johab":
		return ""
	}
	return name
}

// sampleOf is the neighbourhood of the first 8-bit byte.
func sampleOf(b []byte) []byte {
	for i, x := range b {
		if x >= 0x80 {
			i = max(0, i-256)
			return b[i:min(len(b), i+detectSample)]
		}
	}
	return nil
}

// runs reports whether at least two pairs of 8-bit bytes stand side by side.
func runs(b []byte) bool {
	n := 0
	for i := 1; i < len(b); i++ {
		if b[i] >= 0x80 && b[i-1] >= 0x80 {
			n++
		}
	}
	return n >= 2
}

// sequences counts the UTF-8 sequences of several bytes and what breaks them.
func sequences(b []byte) (good, bad int) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		b = b[n:]
	}
	return good, bad
}

// mended is UTF-8 in which single bytes of windows-1252 stand, as where a list
// adds its footer. A sequence cut off at the end is dropped.
func mended(b []byte) string {
	var out strings.Builder
	out.Grow(len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r != utf8.RuneError || n > 1:
			out.Write(b[:n])
		case utf8.FullRune(b):
			out.WriteRune(charmap.Windows1252.DecodeByte(b[0]))
		default:
			return out.String()
		}
		b = b[n:]
	}
	return out.String()
}
