package peers

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	_ "github.com/emersion/go-message/charset"
	peer "github.com/emersion/go-message/mail"

	"github.com/parley-im/parley/mail"
)

// letter is a mail in CRLF: text, HTML, and a file that fills it up to the size.
func letter(size int) []byte {
	var b bytes.Buffer
	b.WriteString("From: =?utf-8?q?Ana_M=C3=BCller?= <ana@example.org>\r\nTo: Bo <bo@example.net>\r\nSubject: =?utf-8?b?R3LDvMOfZQ==?= from here\r\n" +
		"Date: Tue, 1 Jul 2003 10:52:37 +0200\r\nMessage-ID: <x@example.org>\r\nReferences: <r@example.net> <s@example.net>\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n")
	text := strings.Repeat("Some words of a letter, with a gr=C3=BC=C3=9F in it and then =\r\na soft break.\r\n", 12)
	for _, typ := range []string{"text/plain", "text/html"} {
		fmt.Fprintf(&b, "--a\r\nContent-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n%s\r\n", typ, text)
	}
	b.WriteString("--a--\r\n--m\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n")
	rnd, line := rand.New(rand.NewPCG(1, 1)), make([]byte, 57)
	for b.Len() < size {
		for i := range line {
			line[i] = byte(rnd.Uint32())
		}
		b.WriteString(base64.StdEncoding.EncodeToString(line) + "\r\n")
	}
	b.WriteString("--m--\r\n")
	return b.Bytes()
}

// byPeer reads what parley reads: author, recipients, subject, date, ids, the
// texts in UTF-8, and the size of each file, decoded.
func byPeer(raw []byte) (texts, files int, err error) {
	r, err := peer.CreateReader(bytes.NewReader(raw))
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	for _, name := range []string{"From", "To", "Cc"} {
		if _, err := r.Header.AddressList(name); err != nil {
			return 0, 0, err
		}
	}
	if _, err := r.Header.Subject(); err != nil {
		return 0, 0, err
	}
	if _, err := r.Header.Date(); err != nil {
		return 0, 0, err
	}
	if _, err := r.Header.MsgIDList("References"); err != nil {
		return 0, 0, err
	}
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			return texts, files, nil
		}
		if err != nil {
			return 0, 0, err
		}
		if _, inline := p.Header.(*peer.InlineHeader); inline {
			b, err := io.ReadAll(p.Body)
			if err != nil {
				return 0, 0, err
			}
			texts += len(b)
			continue
		}
		n, err := io.Copy(io.Discard, p.Body)
		if err != nil {
			return 0, 0, err
		}
		files += int(n)
	}
}

// TestParseAlike: both see the same, so that the figures are of the same work.
func TestParseAlike(t *testing.T) {
	raw := letter(12 << 10)
	texts, files, err := byPeer(raw)
	if err != nil {
		t.Fatal(err)
	}
	m := mail.Parse(raw)
	if len(m.Attachments) != 1 || m.Attachments[0].Size != int64(files) || texts < len(m.Text) || m.Subject != "Grüße from here" {
		t.Errorf("%d attachments, the peer reads %d bytes of files and %d of text, of which %d are shown; subject %q", len(m.Attachments), files, texts, len(m.Text), m.Subject)
	}
}

func BenchmarkParseMail(b *testing.B) {
	for _, size := range []int{4 << 10, 12 << 10, 1 << 20} {
		raw := letter(size)
		b.Run(fmt.Sprintf("size=%dKB/by=parley", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				mail.Parse(raw)
			}
		})
		b.Run(fmt.Sprintf("size=%dKB/by=go-message", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := byPeer(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
