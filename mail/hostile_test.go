package mail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

const head = "From: a@example.org\nMessage-ID: <x@example.org>\nSubject: s\n"

// TestHostile: messages made to cost much are read within bounded time, and
// every bound holds. Each takes some ten milliseconds; quadratic work on any of
// them takes minutes.
func TestHostile(t *testing.T) {
	rep := strings.Repeat
	multi := "Content-Type: multipart/mixed; boundary=b\n\n"
	for name, raw := range map[string]string{
		"boundary lines":      head + multi + rep("--b\n", 10<<20/4),
		"closing lines":       head + multi + rep("--b--\n", 10<<20/6),
		"near boundaries":     head + multi + rep("--bb\nContent-Type: x\n", 200_000),
		"nested multiparts":   nest("multipart/mixed; boundary=b", 20_000),
		"nested boundaries":   nest("multipart/mixed; boundary=b%d", 20_000),
		"nested missing":      nest("multipart/mixed", 20_000),
		"nested messages":     rep("Content-Type: message/rfc822\n\n", 300_000),
		"messages in digest":  head + "Content-Type: multipart/digest; boundary=b\n\n" + rep("--b\n\nSubject: x\n\ny\n", 300_000),
		"dashes":              head + multi + rep("-", 10<<20),
		"references":          head + "References: " + rep("<a@b> <c@d>\n ", 50_000) + "\n\nx",
		"references unclosed": head + "References: " + rep("<", 250_000) + "\n\nx",
		"fields":              head + rep("X: y\n", 500_000) + "\nx",
		"header junk":         head + rep("junk\nX-Y: x\n", 300_000) + "\nx",
		"header blanks":       head + rep(" \nX-Y: z\n", 300_000) + "\nx",
		"folding":             head + "X: " + rep("\n a", 1_000_000) + "\n\nx",
		"one line":            rep("x", 10<<20),
		"addresses":           head + "To: " + rep("a@b,", 60_000) + "\n\nx",
		"quotes":              head + "To: " + rep(`"`, 250_000) + "\n\nx",
		"escaped quotes":      head + "To: " + rep(`"\`, 125_000) + "\n\nx",
		"swallowing quotes":   head + "To: " + rep(`"<@>,"`, 40_000) + "\n\nx",
		"comments":            head + "To: " + rep("(", 120_000) + rep(")(", 60_000) + "\n\nx",
		"angles":              head + "To: " + rep("<,", 120_000) + ">\n\nx",
		"colons":              head + "To: " + rep("a ", 60_000) + "@" + rep(" :", 60_000) + "\n\nx",
		"encoded words":       head + "Subject: " + rep("=?a?q?", 40_000) + "\n\nx",
		"unknown charsets":    head + "Subject: " + rep("=?x?q?=C4=E3=BA=C3?= y ", 10_000) + "\n\nx",
		"cut words":           head + "Subject: =?utf-8?q?" + rep(" ?", 120_000) + "\n\nx",
		"parameters":          head + "Content-Type: text/plain; " + rep("a b ", 60_000) + "\n\nx",
		"equals":              head + "Content-Type: text/plain; x=" + rep(" =", 120_000) + "\n\nx",
		"continuations":       head + "Content-Type: text/plain; " + rep("name*1*=%41;", 20_000) + "\n\nx",
		"dates":               head + "Date: " + rep("1:", 120_000) + "\n\nx",
		"long id":             "Message-ID: <" + rep("(", 120_000) + rep(")", 120_000) + "@x>\n\nx",
		"html nesting":        head + "Content-Type: text/html\n\n" + rep("<div><blockquote><ul><li>", 60_000) + "x",
		"html attributes":     head + "Content-Type: text/html\n\n<p " + rep("a=b ", 400_000) + ">x",
		"html hidden":         head + "Content-Type: text/html\n\n" + rep("<p hidden><td hidden>", 80_000) + "x",
		"html opens":          head + "Content-Type: text/html\n\n" + rep("<", 1<<20),
		"html comments":       head + "Content-Type: text/html\n\n" + rep("<!--", 1<<18),
		"html spaces in pre":  head + "Content-Type: text/html\n\n<pre>" + rep(" ", 4<<20) + "x",
		"html links":          head + "Content-Type: text/html\n\n" + rep(`<a href="http://x">y`, 60_000),
		"quoted-printable":    head + "Content-Transfer-Encoding: quoted-printable\n\n" + rep("=", 4<<20),
		"base64":              head + "Content-Transfer-Encoding: base64\n\n" + rep("=A", 1<<20),
		"uuencode":            head + "\n" + rep("begin 644 x\n#86%A\nend\n", 400_000),
		"uuencode unended":    head + "\n" + rep("begin 644 x\n#86%A\n", 400_000),
		"flowed":              head + "Content-Type: text/plain; format=flowed\n\n" + rep("> x \n", 500_000),
		"quotes in text":      head + "\n" + rep("> x\n", 500_000),
		"8 bit":               head + "\n" + rep("\xc4\xe3\xff", 1<<20),
		"utf-7":               head + "Content-Type: text/plain; charset=utf-7\n\n" + rep("+", 4<<20),
		"escapes":             head + "\n" + rep("\x1b$B", 1<<20),
		"messages in base64":  head + multi + rep("--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogeAoKeQo=\n", 40_000),
		"parts in base64":     head + wrapped(multi+rep("--b\n\nx\n", 900)+rep("y", 3<<20)),
		"parts in three":      head + wrapped(wrapped(wrapped(multi+rep("--b\nContent-Type: x/y\n\nx\n", 900)+rep("y", 1<<20)))),
		"headers in base64":   head + wrapped(multi+rep("--b\nJ:"+rep("x", 100_000)+"\n", 80)),
		"boundary in base64":  head + wrapped(rep("Content-Type: multipart/mixed; boundary=q\n\n"+rep("x\n", 1000)+"--a\n", 3000)),
		"signed":              head + "Content-Type: application/pkcs7-mime\n\n" + "0\x80\x06\x09" + oidSignedData + "\xa0\x800\x80\x02\x01\x011\x80" + rep("0\x80", 2<<20),
		"signed in pieces":    head + "Content-Type: application/pkcs7-mime\n\n" + "0\x80\x06\x09" + oidSignedData + "\xa0\x800\x80\x02\x01\x011\x000\x80\x06\x01a\xa0\x80\x24\x80" + rep("\x04\x00", 2<<20),
		"tnef":                head + "Content-Type: application/ms-tnef\n\n" + "\x78\x9f\x3e\x22\x01\x00" + rep("\x02\x02\x90\x06\x00\x00\x00\x00\x00\x00\x00\x02\x0f\x80\x06\x00\x01\x00\x00\x00x\x00\x00", 200_000),
		"tnef with rtf":       head + "Content-Type: application/ms-tnef\n\n" + string(exampleTNEF(mapiBinary, 0x1009, stored("{\\rtf1"+rep("{\\u1", 200_000)))),
		"tnef with bytes":     head + "Content-Type: application/ms-tnef\n\n" + string(exampleTNEF(mapiBinary, 0x1009, stored("{\\rtf1\\ansicpg936 "+rep("\\'c4", 100_000)+rep("\\'c4x", 100_000)))),
		"calendar":            head + "Content-Type: text/calendar\n\nBEGIN:VEVENT\nX:" + rep("\n a", 100_000) + rep("BEGIN:VEVENT\nATTENDEE:mailto:a@b\nEND:VEVENT\n", 50_000),
		"calendar rule":       head + "Content-Type: text/calendar\n\nBEGIN:VEVENT\nRRULE:FREQ=DAILY;BYDAY=" + rep("MO,", 80_000) + "\nEXDATE:" + rep("20030101,", 20_000) + "\nEND:VEVENT\n",
		"references to parts": head + "Content-Type: multipart/related; boundary=b\n\n" + rep("--b\nContent-ID: <x>\n\nx\n", 900) + "--b\nContent-Type: text/html\n\n" + rep("<img src='cid:x'>", 100_000),
		"styles":              head + "Content-Type: text/html\n\n<style>" + rep("url(", 500_000),
		"japanese":            head + "Content-Type: text/plain; charset=iso-2022-jp\n\n" + rep("$B", 1<<20) + rep("$B$\"(B", 100_000),
		"many types":          head + multi + rep("--b\nContent-Type: text/html; charset=x\n\n<p>\xff\xfe\n", 200_000),
	} {
		t.Run(name, func(t *testing.T) {
			begin := cpuTime(t)
			m := Parse([]byte(raw))
			if took := cpuTime(t) - begin; took > 2*time.Second*slow {
				t.Errorf("%d bytes took %v", len(raw), took)
			}
			checkText(t, m)
			checkShown(t, m)
			begin = cpuTime(t)
			if _, err := m.ContentDigest(strings.NewReader(raw)); err != nil {
				t.Error(err)
			}
			if took := cpuTime(t) - begin; took > 2*time.Second*slow {
				t.Errorf("the digest of %d bytes took %v", len(raw), took)
			}
			if len(m.Parts) > MaxParts+MaxDepth || len(m.To) > MaxAddresses || len(m.Header) > MaxFields {
				t.Errorf("%d parts, %d addresses, %d fields", len(m.Parts), len(m.To), len(m.Header))
			}
		})
	}
}

// wrapped is a message in base64 inside another.
func wrapped(inner string) string {
	return "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(inner)) + "\n"
}

// cpuTime is what this process has used, so that a busy machine fails no test.
func cpuTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// nest puts multiparts into one another, each with its own boundary if typ has a %d.
func nest(typ string, depth int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range depth {
		t := typ
		if strings.Contains(typ, "%d") {
			t = fmt.Sprintf(typ, i)
		}
		fmt.Fprintf(&b, "Content-Type: %s\n\n", t)
		if _, boundary, ok := strings.Cut(t, "boundary="); ok {
			fmt.Fprintf(&b, "--%s\n", boundary)
		} else {
			b.WriteString("--guess\n")
		}
	}
	return b.String()
}

// TestBounds: what lies beyond a bound is one opaque part that holds it all.
func TestBounds(t *testing.T) {
	deep := []byte(nest("multipart/mixed; boundary=b%d", MaxDepth+10) + "\nend")
	m := check(t, deep)
	last := m.Parts[len(m.Parts)-1]
	if !last.Opaque || last.Offset+last.Length != int64(len(deep)) || len(m.Parts) != MaxDepth+1 {
		t.Errorf("deep: %d parts, the last %+v", len(m.Parts), last)
	}
	many := []byte(head + "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 2*MaxParts) + "--b--\nepilogue\n")
	m = check(t, many)
	last = m.Parts[len(m.Parts)-1]
	if rest := string(many[last.Offset : last.Offset+last.Length]); !last.Opaque || !strings.HasSuffix(rest, "--b\n\nx") || len(m.Parts) != MaxParts+1 {
		t.Errorf("many: %d parts, the last %+v", len(m.Parts), last)
	}
	if at := m.Attachments; len(at) != 1 || at[0] != last {
		t.Errorf("many: attachments %v", at)
	}
	long := []byte("Subject: s\nX-Long: " + strings.Repeat("x\n ", MaxHeaderBytes) + "\nTo: late@example.org\n\nbody\n")
	if m = check(t, long); m.Subject != "s" || m.Text != "body" || m.To != nil {
		t.Errorf("long header: subject %q, text %q, to %v", m.Subject, m.Text, m.To)
	}
}

// endless is a mail that no memory holds: a head, then one line over and over.
type endless struct {
	head, line string
	size       int64
}

func (e endless) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && off < e.size {
		if off < int64(len(e.head)) {
			k := copy(p[n:], e.head[off:])
			n, off = n+k, off+int64(k)
			continue
		}
		k := copy(p[n:], e.line[(off-int64(len(e.head)))%int64(len(e.line)):])
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// TestBigMail: memory does not grow with the mail.
func TestBigMail(t *testing.T) {
	line := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("0123456789abcdef+-*"), 3)) + "\r\n"
	e := endless{head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: application/x\nContent-Transfer-Encoding: base64\n\n", line, 16 << 20}
	e.size += int64(len(e.head)) - 16<<20%int64(len(line))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := ParseAt(e, e.size)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Parts[2].Size, int64(16<<20)/int64(len(line))*57; got != want || m.Text != "text" {
		t.Errorf("size %d, want %d; text %q", got, want, m.Text)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes allocated", used)
	}
}

// TestReaderFails: half a mail never passes for one.
func TestReaderFails(t *testing.T) {
	raw := head + "Content-Transfer-Encoding: base64\n\n" + strings.Repeat("QUJD\n", 50_000)
	for n := 0; n < len(raw); n += len(raw)/20 + 1 {
		m, err := ParseAt(strings.NewReader(raw[:n]), int64(len(raw)))
		if err == nil || m != nil {
			t.Errorf("cut off at %d: taken for a message, error %v", n, err)
		}
	}
}
