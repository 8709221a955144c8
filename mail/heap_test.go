package mail

import (
	"encoding/base64"
	"encoding/binary"
	"io"
	"runtime"
	"strings"
	"testing"
)

// TestLargeFiles: a mail with a file of 50 MB is read within 1 MB, and so are its
// parts and its digest; so it is with smaller ones, still too large to be held, in
// what else may be around them. All that is allocated counts, not only what is
// held at a time.
func TestLargeFiles(t *testing.T) {
	const large = 8 << 20
	octets := func(tag byte, inner int) string {
		return string(tag) + "\x84" + string(binary.BigEndian.AppendUint32(nil, uint32(inner)))
	}
	inside := "Content-Type: application/x; name=x\n\n"
	cms := octets(0x04, large-60)
	cms = "\x06\x09" + "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01" + "\xa0\x84" + cms[2:] + cms + inside
	cms = "\x02\x01\x01\x31\x00" + octets(0x30, large-40) + cms
	cms = octets(0x30, large-10) + "\x06\x09" + oidSignedData + "\xa0\x84" + octets(0, large-24)[2:] + octets(0x30, large-30) + cms
	w := newTNEF()
	w.attr(2, tnefNewFile, nil)
	w.WriteByte(2)
	w.Write(append(le32(tnefFileData), le32(large)...))
	for name, tc := range map[string]struct {
		typ, begin string
		size       int64
		attached   int
	}{
		"file": {"application/pdf", "", 50 << 20, 1}, "text": {"text/x-log; name=x", "", large, 1}, "message": {"message/rfc822", inside, large, 1},
		"signed": {"application/pkcs7-mime; name=smime.p7m", cms, large, 2}, "tnef": {"application/ms-tnef", w.String(), large, 2},
	} {
		t.Run(name, func(t *testing.T) {
			begin := tc.begin + strings.Repeat(" ", (57-len(tc.begin)%57)%57)
			start := head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: " + tc.typ + "\nContent-Transfer-Encoding: base64\n\n"
			for b := begin; b != ""; b = b[57:] {
				start += base64.StdEncoding.EncodeToString([]byte(b[:57])) + "\r\n"
			}
			e := endless{start, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("0123456789abcdef+-*", 3))) + "\r\n", tc.size * 78 / 57}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := ParseAt(e, e.size)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.ContentDigest(e); err != nil {
				t.Fatal(err)
			}
			last := m.Attachments[len(m.Attachments)-1]
			n, err := io.Copy(io.Discard, last.Decode(e))
			runtime.ReadMemStats(&after)
			if len(m.Attachments) != tc.attached || n < tc.size*9/10 || n != last.Size || err != nil || m.Text != "text" {
				t.Errorf("%d attachments, the last has %d bytes, read %d, %v; text %q", len(m.Attachments), last.Size, n, err, m.Text)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
				t.Errorf("%d bytes allocated", used)
			}
		})
	}
}
