package mail

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
)

const benchHead = "Return-Path: <ana@example.org>\r\nReceived: from mx1.example.org (mx1.example.org [192.0.2.1])\r\n\tby mx.example.net with ESMTPS id abc123\r\n\tfor <bo@example.net>; Tue, 1 Jul 2003 10:52:37 +0200\r\n" +
	"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s1;\r\n\tbh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=dGhpcyBpcyBubyBzaWduYXR1cmU\r\n" +
	"From: =?utf-8?q?Ana_M=C3=BCller?= <ana@example.org>\r\nTo: Bo <bo@example.net>, \"Cy, Dr.\" <cy@example.net>\r\nSubject: =?utf-8?b?UmU6IEdyw7zDn2U=?= from here\r\nDate: Tue, 1 Jul 2003 10:52:37 +0200\r\n" +
	"Message-ID: <CAF-x123@mail.example.org>\r\nIn-Reply-To: <one@example.net>\r\nReferences: <root@example.net> <one@example.net>\r\nMIME-Version: 1.0\r\n"

func benchMail(size int) []byte {
	plain := strings.Repeat("Some words of a letter, with a gr=C3=BC=C3=9F in it and then =\r\na soft break.\r\n", 8)
	html := "<html><body>" + strings.Repeat("<p>Some words of a letter, with a <a href=3D\"https://example.org/x\">li=\r\nnk</a> in it.</p>\r\n", size/400)
	var b bytes.Buffer
	b.WriteString(benchHead)
	if size <= 2<<10 {
		b.WriteString("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
		b.WriteString(strings.Repeat(plain, 4)[:size-b.Len()])
		return b.Bytes()
	}
	b.WriteString("Content-Type: multipart/mixed; boundary=\"m\"\r\n\r\n--m\r\nContent-Type: multipart/alternative; boundary=\"a\"\r\n\r\n" +
		"--a\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + plain +
		"\r\n--a\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + html[:min(len(html), 8<<10)] + "\r\n--a--\r\n")
	b.WriteString("--m\r\nContent-Type: application/pdf; name=\"a.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\n")
	data, rnd := make([]byte, max(0, size-b.Len())*57/78), rand.New(rand.NewPCG(1, 1))
	for i := range data {
		data[i] = byte(rnd.Uint32())
	}
	text := base64.StdEncoding.EncodeToString(data)
	for len(text) > 0 {
		n := min(76, len(text))
		b.WriteString(text[:n] + "\r\n")
		text = text[n:]
	}
	b.WriteString("--m--\r\n")
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for _, bc := range []struct {
		name string
		size int
	}{{"size=2KB", 2 << 10}, {"size=12KB", 12 << 10}, {"size=1MB", 1 << 20}} {
		raw := benchMail(bc.size)
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(raw)
			}
		})
		b.Run(bc.name+"/at", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			src := bytes.NewReader(raw)
			for b.Loop() {
				if _, err := ParseAt(src, int64(len(raw))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDigest(b *testing.B) {
	raw := benchMail(12 << 10)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		Digest(raw)
	}
}

func BenchmarkParseAddrSpec(b *testing.B) {
	for name, s := range map[string]string{"kind=ascii": "Ana.Mueller@example.org", "kind=idn": "ana@bücher.example"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseAddrSpec(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
