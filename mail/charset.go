package mail

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// charsets turns bytes into UTF-8 for one message. Labels lie, so a label
// counts only as far as the bytes agree with it.
type charsets struct {
	hint string        // what the text of the message is in, for headers in raw 8 bit
	more func() []byte // where there is no hint: text to guess one from
	left int           // statistical guesses still allowed; they cost more than the rest of the parser
	lied bool          // a label was missing or wrong
}

// family is how an encoding takes part in the question whether its label is true.
type family uint8

const (
	none         family = iota // no such charset
	utf8Text                   // checked by utf8.Valid
	single                     // any bytes are valid, so UTF-8 that is valid is UTF-8
	latin                      // a single one whose texts are mostly ASCII
	multi                      // invalid bytes tell a lie
	sevenBit                   // stateful, pure ASCII outside; 8 bit tell a lie
	japaneseText               // the same, but for katakana in 8 bit
	wide                       // UTF-16, UTF-32
	asciiText                  // says nothing about 8 bit
)

// codec is an encoding as far as mail needs it. decode replaces what it cannot
// read and never fails; for utf8Text, asciiText and none it is nil.
type codec struct {
	kind   family
	decode func([]byte) []byte
}

func via(kind family, e encoding.Encoding) codec {
	return codec{kind, func(b []byte) []byte {
		out, _ := e.NewDecoder().Bytes(b) // x/text decoders replace, they do not fail
		return out
	}}
}

// special are labels that the indexes of x/text lack, or take for something
// narrower than what mailers mean by them.
var special = func() map[string]codec {
	m := map[string]codec{}
	put := func(c codec, labels string) {
		for _, l := range strings.Fields(labels) {
			m[l] = c
		}
	}
	put(codec{kind: utf8Text}, "utf-8 utf8")
	put(codec{kind: asciiText}, "us-ascii ascii ansi_x3.4-1968 iso646-us")
	put(codec{kind: none}, "unknown-8bit x-unknown default")
	put(codec{sevenBit, decodeUTF7}, "utf-7 utf7 unicode-1-1-utf-7 csunicode11utf7")
	put(codec{sevenBit, decodeISO2022KR}, "iso-2022-kr csiso2022kr")
	put(codec{wide, decodeUTF16}, "utf-16 ucs-2 iso-10646-ucs-2")
	put(via(wide, unicode.UTF16(unicode.BigEndian, unicode.UseBOM)), "utf-16be")
	put(via(wide, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)), "utf-16le")
	put(via(wide, utf32.UTF32(utf32.BigEndian, utf32.UseBOM)), "utf-32 utf-32be")
	put(via(wide, utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)), "utf-32le")
	put(via(sevenBit, simplifiedchinese.HZGB2312), "hz-gb-2312 hz")
	put(codec{sevenBit, decodeIMAPUTF7}, "utf-7-imap utf7-imap imap-utf-7 imap4-utf-7 x-imap4-modified-utf7 x-imap-modified-utf-7 x-imap-utf-7")
	put(codec{japaneseText, decodeISO2022JP}, "iso-2022-jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-2004 iso-2022-jp-ext "+
		"iso-2022-jp-ms cp50220 cp50221 cp50222 x-windows-50220 x-windows-50221 x-windows-iso2022jp csiso2022jp csiso2022jp2 jis x-jis jis7 iso-2022-jp-cp932")
	put(via(multi, simplifiedchinese.GB18030),
		"gb2312 gbk gb18030 gb_2312-80 euc-cn euccn cp936 ms936 x-gbk x-gb18030 x-euc-cn windows-936 gb2312_charset gb-2312 gb_18030 gb18030-2000 gb18030-2005")
	put(via(multi, japanese.ShiftJIS), "shift_jis cp932 windows-31j x-sjis-jp shift-jis sjis ms932 windows-932 x-ms-cp932 cp943")
	put(via(multi, korean.EUCKR), "euc-kr euckr ks_c_5601-1987 ks_c_5601 cp949 ms949 windows-949 x-windows-949 uhc")
	put(via(latin, charmap.Windows1252),
		"windows-1252 iso-8859-1 latin-1 iso8859_1 8859_1 x-ansi ansi iso-8859-1-windows-3.1-latin-1")
	put(via(latin, charmap.ISO8859_15), "iso-8859-15 latin-9")
	put(via(latin, charmap.CodePage850), "cp850 cp-850 ibm850")
	put(via(latin, charmap.CodePage437), "cp437 cp-437 ibm437")
	put(via(latin, charmap.Macintosh), "macintosh x-mac-roman")
	put(via(single, charmap.KOI8R), "koi8-r koi8r koi8 koi-8 koi8-rus")
	put(via(single, charmap.KOI8U), "koi8-u koi8u koi8-ru")
	put(via(single, charmap.ISO8859_8), "iso-8859-8-i iso-8859-8-e")
	return m
}()

// find looks a clean label up.
func find(label string) codec {
	if c, ok := special[label]; ok {
		return c
	}
	e, err := htmlindex.Get(label)
	if err != nil || e == encoding.Replacement {
		if e, err = ianaindex.MIME.Encoding(label); err != nil || e == nil {
			return codec{}
		}
	}
	if name, _ := htmlindex.Name(e); name != "" {
		if c, ok := special[name]; ok {
			return c
		}
	}
	if _, ok := e.(*charmap.Charmap); ok {
		return via(single, e)
	}
	return via(multi, e)
}

// cleanLabel strips what mailers wrap labels in.
func cleanLabel(s string) string {
	s = strings.ToLower(strings.Trim(s, " \t\r\n\"';,"))
	s = strings.TrimPrefix(s, "charset=")
	if i := strings.IndexAny(s, " ;,*\"'"); i >= 0 {
		s = s[:i]
	}
	if !isToken(s) || len(s) > 64 {
		return ""
	}
	return s
}

// decode gives b as valid UTF-8. label may be anything.
func (c *charsets) decode(b []byte, label string) string {
	label = cleanLabel(label)
	if bom := bomOf(b); bom != "" {
		label = bom
	}
	high, escape := survey(b)
	code := find(label)
	switch kind := code.kind; {
	case !high && kind != sevenBit && kind != japaneseText && kind != wide:
		if really := escaped(b, escape); really != "" {
			c.lied = true
			return find(really).run(b)
		}
		return string(b)
	case high && kind != wide && kind != multi && utf8.Valid(b):
		c.lied = c.lied || kind != utf8Text
		return strings.TrimPrefix(string(b), "\ufeff")
	case code.believable(b, high):
		return code.run(b)
	}
	c.lied = true
	return c.guess(b, label)
}

// believable reports whether the bytes can be what their label says.
func (c codec) believable(b []byte, high bool) bool {
	switch c.kind {
	case single:
		return true
	case latin:
		return !dense(b)
	case multi:
		return !surelyUTF8(b) && clean(c.run(b))
	case sevenBit:
		return !high
	case japaneseText:
		return !high || isJIS(b)
	case wide:
		return bomOf(b) != "" || bytes.IndexByte(b, 0) >= 0 || high && clean(c.run(b))
	}
	return false
}

// run decodes without asking.
func (c codec) run(b []byte) string {
	if c.decode != nil {
		b = c.decode(b)
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(b), "\ufffd"), "\ufeff")
}
