package mail

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"
)

// decodeUTF7 undoes UTF-7 (RFC 2152). x/text leaves it out since browsers must;
// here the result is text, never markup that a browser reads again.
func decodeUTF7(b []byte) []byte { return unshift(b, '+', '/') }

// decodeIMAPUTF7 undoes what IMAP makes of it for names of folders (RFC 3501
// 5.1.3), which mailers let into mail: "&" for "+", and "," in base64.
func decodeIMAPUTF7(b []byte) []byte { return unshift(b, '&', ',') }

func unshift(b []byte, shift, last byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] != shift {
			out = append(out, b[i])
			i++
			continue
		}
		j := i + 1
		for j < len(b) && (b[j] == last || b[j] != '/' && strings.IndexByte(base64Alphabet, b[j]) >= 0) {
			j++
		}
		switch text := utf7Run(bytes.ReplaceAll(b[i+1:j], []byte{last}, []byte{'/'})); {
		case j == i+1 && j < len(b) && b[j] == '-': // "+-" is a plus
			out = append(out, shift)
		case text == "": // "1+1", not UTF-7
			out = append(out, b[i:j]...)
			i = j
			continue
		default:
			out = append(out, text...)
		}
		if i = j; i < len(b) && b[i] == '-' {
			i++
		}
	}
	return out
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// utf7Run is base64 of UTF-16 without padding.
func utf7Run(run []byte) string {
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	raw := make([]byte, len(run))
	n, _ := base64.RawStdEncoding.Decode(raw, run)
	units := make([]uint16, n/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return string(utf16.Decode(units))
}

// decodeISO2022KR undoes ISO-2022-KR (RFC 1557): EUC-KR in 7 bit between SO and SI.
func decodeISO2022KR(b []byte) []byte {
	const so, si, esc = 0x0e, 0x0f, 0x1b
	euc := make([]byte, 0, len(b))
	shifted := false
	for i := 0; i < len(b); i++ {
		switch x := b[i]; {
		case x == so || x == si:
			shifted = x == so
		case x == esc && i+3 < len(b) && string(b[i+1:i+4]) == "$)C":
			i += 3
		case x == '\n':
			shifted = false
			euc = append(euc, x)
		case shifted && x > ' ' && x < 0x7f:
			euc = append(euc, x|0x80)
		default:
			euc = append(euc, x)
		}
	}
	out, _ := korean.EUCKR.NewDecoder().Bytes(euc)
	return out
}

// decodeUTF16 undoes UTF-16 whose byte order nobody states: the zeros of ASCII
// stand in front in big endian.
func decodeUTF16(b []byte) []byte {
	order, at := unicode.BigEndian, [2]int{}
	for i, x := range b[:min(len(b), detectSample)] {
		if x == 0 {
			at[i%2]++
		}
	}
	if at[1] > at[0] {
		order = unicode.LittleEndian
	}
	out, _ := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(b)
	return out
}
