package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
	"testing"
	"testing/iotest"
)

func decoded(t *testing.T, e Encoding, body string) string {
	t.Helper()
	p := &Part{Encoding: e, Length: int64(len(body))}
	b, err := io.ReadAll(p.Decode(strings.NewReader(body)))
	if err != nil {
		t.Fatal(err)
	}
	one, err := io.ReadAll(iotest.OneByteReader(p.Decode(strings.NewReader(body))))
	if err != nil || !bytes.Equal(one, b) {
		t.Errorf("%s %q byte by byte: %q, %v", e, body, one, err)
	}
	return string(b)
}

// RFC 2045 6.7 and 6.8, POSIX uuencode, and what breaks on the way.
func TestDecode(t *testing.T) {
	for _, tc := range []struct {
		e        Encoding
		in, want string
	}{
		{Identity, "a=41\r\n", "a=41\r\n"},
		{Base64, "", ""}, {Base64, "QUJD", "ABC"}, {Base64, "QUI=", "AB"}, {Base64, "QQ==", "A"},
		{Base64, "QUI", "AB"}, {Base64, "QQ", "A"}, {Base64, "QUJDR", "ABC"}, {Base64, "Q U\r\nJ!D\x00", "ABC"},
		{Base64, "QQ==\nQUI=\nQUJD\n", "AABABC"}, {Base64, "QQ==\n-- \na list's footer\n", "A"}, {Base64, "====QUJD", "ABC"},
		{QuotedPrintable, "a=3Db=3dc", "a=b=c"}, {QuotedPrintable, "soft=\r\nbreak", "softbreak"}, {QuotedPrintable, "soft= \t\nbreak", "softbreak"},
		{QuotedPrintable, "end=", "end"}, {QuotedPrintable, "blanks  \r\nx \n", "blanks\r\nx\n"}, {QuotedPrintable, "kept=20\n", "kept \n"},
		{QuotedPrintable, "1=2 =XY =4 = x", "1=2 =XY =4 = x"}, {QuotedPrintable, "mac=\rbreak", "macbreak"}, {QuotedPrintable, "=C3=A4", "ä"},
		{UUEncode, "begin 644 x\n#86)C\n`\nend\nbehind\n", "abc"}, {UUEncode, "#86)C\n", "abc"}, {UUEncode, "begin 644 x\n#86)C", "abc"},
		{UUEncode, "begin 644 x\n\"86(\n`\nend\n", "ab"}, {UUEncode, "junk line that is none\nbegin 644 x\r\n#86)C\r\n`\r\nend\r\n", "abc"},
	} {
		if got := decoded(t, tc.e, tc.in); got != tc.want {
			t.Errorf("%s %q: got %q, want %q", tc.e, tc.in, got, tc.want)
		}
	}
}

// What encoders write comes back, in lines and in one line longer than any buffer.
func TestDecodeRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 100, 4 << 10, 100 << 10} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(rnd.Uint32())
		}
		if got := decoded(t, Base64, base64.StdEncoding.EncodeToString(data)); got != string(data) {
			t.Errorf("base64 of %d bytes in one line differs", size)
		}
		var b bytes.Buffer
		w := quotedprintable.NewWriter(&b)
		w.Binary = true
		if _, err := w.Write(data); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		if got := decoded(t, QuotedPrintable, b.String()); got != string(data) {
			t.Errorf("quoted-printable of %d bytes differs", size)
		}
		if got := decoded(t, QuotedPrintable, strings.Repeat("=41=3D", size)); got != strings.Repeat("A=", size) {
			t.Errorf("quoted-printable in one line of %d bytes differs", 6*size)
		}
	}
}

func TestEncodingNames(t *testing.T) {
	for in, want := range map[string]Encoding{
		"": Identity, "7bit": Identity, "8BITS": Identity, "binary": Identity, "x-gzip64": Identity, "base64": Base64, " Base-64 (x)": Base64,
		"Quoted Printable": QuotedPrintable, "quoted_printable;": QuotedPrintable, "x-uuencode": UUEncode, "UUENCODE": UUEncode, "x-uue": UUEncode,
	} {
		var d defects
		if got := readEncoding([]byte(in), &d); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
