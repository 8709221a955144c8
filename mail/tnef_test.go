package mail

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"testing"
)

// tnefWriter makes streams as MS-OXTNEF says, for tests.
type tnefWriter struct{ bytes.Buffer }

func newTNEF() *tnefWriter {
	w := &tnefWriter{}
	w.Write([]byte{0x78, 0x9f, 0x3e, 0x22, 1, 0})
	return w
}

func le32(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }

func (w *tnefWriter) attr(level byte, id int, data []byte) {
	sum := 0
	for _, c := range data {
		sum += int(c)
	}
	w.WriteByte(level)
	w.Write(le32(id))
	w.Write(le32(len(data)))
	w.Write(data)
	w.Write([]byte{byte(sum), byte(sum >> 8)})
}

// mapi writes a property list; a value is a string or bytes, or a number.
func mapi(props ...any) []byte {
	b := le32(len(props) / 3)
	for i := 0; i < len(props); i += 3 {
		kind, id := props[i].(int), props[i+1].(int)
		b = binary.LittleEndian.AppendUint16(b, uint16(kind))
		b = binary.LittleEndian.AppendUint16(b, uint16(id))
		if id >= 0x8000 {
			b = append(append(b, make([]byte, 16)...), le32(1)...)
			b = append(append(b, le32(6)...), "n\x00a\x00\x00\x00\x00\x00"...)
		}
		switch v := props[i+2].(type) {
		case int:
			b = append(b, le32(v)...)
		case string:
			b = append(append(append(b, le32(1)...), le32(len(v))...), v...)
			b = append(b, make([]byte, -len(v)&3)...)
		}
	}
	return b
}

func utf16z(s string) string {
	var b []byte
	for _, r := range s + "\x00" {
		b = binary.LittleEndian.AppendUint16(b, uint16(r))
	}
	return string(b)
}

// stored is RTF as MS-OXRTFCP keeps it without compression.
func stored(s string) string {
	return string(le32(len(s)+12)) + string(le32(len(s))) + "MELA" + "\x00\x00\x00\x00" + s
}

func winmail(stream []byte) []byte {
	return []byte(head + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/ms-tnef; name=\"winmail.dat\"\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString(stream) + "\n--b--\n")
}

func exampleTNEF(body ...any) []byte {
	w := newTNEF()
	w.attr(1, tnefCodepage, append(le32(1252), 0, 0, 0, 0))
	w.attr(1, tnefProps, mapi(append([]any{3, 0x0e07, 1, mapiUnicode, 0x8001, utf16z("named")}, body...)...))
	w.attr(2, tnefNewFile, make([]byte, 14))
	w.attr(2, tnefFileTitle, []byte("AN~1.PDF\x00"))
	w.attr(2, tnefFileData, []byte("%PDF one"))
	w.attr(2, tnefFileProps, mapi(mapiUnicode, 0x3707, utf16z("Änderung.pdf"), mapiString, 0x370e, "application/pdf\x00", mapiString, 0x3712, "one@x\x00"))
	w.attr(2, tnefNewFile, make([]byte, 14))
	w.attr(2, tnefFileTitle, []byte("gr\xfc\xdfe.txt\x00"))
	w.attr(2, tnefFileData, []byte("two"))
	return w.Bytes()
}

// TestTNEF: the files and the body of winmail.dat are there, and so is it.
func TestTNEF(t *testing.T) {
	rtf := `{\rtf1\ansi\ansicpg1252\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Gr\'fc\'dfe{\*\htmltag244 <b>}\htmlrtf {\b \htmlrtf0 \u8364?5\htmlrtf }\htmlrtf0 {\*\htmltag252 </b>}\htmlrtf \par}\htmlrtf0 {\*\htmltag72 </p>}}`
	for name, tc := range map[string]struct {
		body       []any
		text, html string
	}{
		"unicode":     {[]any{mapiUnicode, 0x1000, utf16z("Grüße\r\nzwei")}, "Grüße\nzwei", ""},
		"8 bit":       {[]any{mapiString, 0x1000, "Gr\xfc\xdfe\x00"}, "Grüße", ""},
		"html":        {[]any{mapiBinary, 0x1013, "<p>Gr\xfc\xdfe</p>"}, "Grüße", "<p>Grüße</p>"},
		"rtf":         {[]any{mapiBinary, 0x1009, stored(`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}\f0 \'cf\'f0\'e8\par x\tab y\{\}}`)}, "При\nx\ty{}", ""},
		"html in rtf": {[]any{mapiBinary, 0x1009, stored(rtf)}, "Grüße€5", "<p>Grüße<b>€5</b></p>"},
		"none":        {nil, "", ""},
	} {
		raw := winmail(exampleTNEF(tc.body...))
		m := check(t, raw)
		if m.Text != tc.text || m.HTML != tc.html {
			t.Errorf("%s: text %q, html %q", name, m.Text, m.HTML)
		}
		var got []string
		for _, p := range m.Attachments {
			b, err := io.ReadAll(p.Decode(bytes.NewReader(raw)))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, p.Path+" "+p.Type+" "+p.Filename+" "+p.ContentID+" "+string(b[:min(len(b), 8)]))
		}
		want := "1 application/ms-tnef winmail.dat  x\x9f>\"\x01\x00\x01\a|1.t1 application/pdf Änderung.pdf one@x %PDF one|1.t2 application/octet-stream grüße.txt  two"
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s: got %q, want %q", name, s, want)
		}
	}
}

// A stream that is cut off anywhere gives what came before, and never less than itself.
func TestTNEFCut(t *testing.T) {
	whole := exampleTNEF(mapiUnicode, 0x1000, utf16z("body"))
	before := 1
	for n := range whole {
		m := check(t, winmail(whole[:n]))
		if got := len(m.Attachments); got < before {
			t.Fatalf("cut at %d: %d attachments, %d with a byte less", n, got, before)
		} else {
			before = got
		}
	}
	if before != 3 {
		t.Errorf("%d attachments in the end", before)
	}
}

// MS-OXRTFCP 4.1 and 4.2, its examples.
func TestInflateRTF(t *testing.T) {
	for in, want := range map[string]string{
		"2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0": "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n",
		"1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0":                                       "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
	} {
		b, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(inflateRTF(b, 1<<20)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if len(rtfPrimer) != 207 {
		t.Errorf("the primer has %d bytes", len(rtfPrimer))
	}
}

// FuzzFiles: any bytes may stand in a file that is looked into.
func FuzzFiles(f *testing.F) {
	f.Add(exampleTNEF(mapiUnicode, 0x1000, utf16z("body")), "application/ms-tnef")
	f.Add([]byte("Subject: x\n\ny"), "message/rfc822")
	f.Add([]byte("BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nDTSTART;TZID=\"x\":20030707T100000\nRRULE:FREQ=DAILY;BYDAY=-1MO\nEND:VEVENT"), "text/calendar")
	for _, name := range []string{"der", "ber"} {
		raw, err := os.ReadFile("testdata/p7m-" + name + ".eml")
		if err != nil {
			f.Fatal(err)
		}
		b, err := io.ReadAll(Parse(raw).Root.Decode(bytes.NewReader(raw)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, "application/pkcs7-mime")
	}
	f.Fuzz(func(t *testing.T, b []byte, typ string) {
		if !isToken(strings.Replace(typ, "/", "", 1)) {
			return
		}
		check(t, []byte(head+"Content-Type: "+typ+"\nContent-Transfer-Encoding: base64\n\n"+base64.StdEncoding.EncodeToString(b)+"\n"))
	})
}

// FuzzRTF: any bytes inflate within their bound, and read as text.
func FuzzRTF(f *testing.F) {
	f.Add([]byte(`{\rtf1\ansi\ansicpg936\'c4\'e3\u8364?{\*\htmltag <p>}\htmlrtf x\htmlrtf0 \par}`))
	f.Add([]byte(stored(`{\rtf1 a}`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if out := inflateRTF(b, 1<<12); len(out) > 1<<12 {
			t.Errorf("%d bytes", len(out))
		}
		text, _ := readRTF(b, &charsets{left: 1})
		if len(text) > 4*len(b)+16 {
			t.Errorf("%d bytes of text of %d", len(text), len(b))
		}
	})
}
