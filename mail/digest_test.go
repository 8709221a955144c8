package mail

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

// RFC 5321 4.4, RFC 5322 3.6.7: what relays put in front does not count.
func TestDigest(t *testing.T) {
	const rest = "Subject: x\r\nReceived: by the author\r\nX-Mailer: y\r\n\r\nReceived: text\r\n"
	want := sha256.Sum256([]byte(rest))
	for name, front := range map[string]string{
		"nothing":    "",
		"Received":   "Received: from a by b;\r\n Tue, 1 Jul 2003 10:52:37 +0200\r\n",
		"second hop": "Return-Path: <a@b>\r\nReceived: from c\r\n\tby d\r\nReceived: from a\r\n by b\r\n",
		"From line":  "From a@b Tue Jul  1 10:52:37 2003\r\nReceived: x\r\n",
		"signatures": "DKIM-Signature: v=1;\r\n\tb=x\r\nARC-Seal: i=1\r\nARC-Message-Signature: i=1\r\nARC-Authentication-Results: i=1\r\nAuthentication-Results: x\r\nReceived-SPF: pass\r\n",
		"case":       "RECEIVED : x\r\nx-spam: y\r\nX-Original-To: a\r\ndelivered-to: b\r\nEnvelope-To: c\r\n",
	} {
		if got := Digest([]byte(front + rest)); got != want {
			t.Errorf("%s: got %x, want %x", name, got, want)
		}
	}
	for name, raw := range map[string]string{
		"other text":                    "Subject: x\r\nReceived: by the author\r\nX-Mailer: y\r\n\r\nReceived: texts\r\n",
		"X- field behind the author's":  "Subject: x\r\nReceived: by the author\r\nX-Mailer: z\r\n\r\nReceived: text\r\n",
		"field that only looks like it": "Receivedx: y\r\n" + rest,
		"folded in front":               " Received: y\r\n" + rest,
		"no field":                      "Received\r\n" + rest,
	} {
		if Digest([]byte(raw)) == want {
			t.Errorf("%s: has the digest of another message", name)
		}
	}
	if got, want := Digest([]byte("Received: x\r\n\r\nbody")), sha256.Sum256([]byte("\r\nbody")); got != want {
		t.Errorf("trace fields alone: got %x, want %x", got, want)
	}
	if got, want := Digest(nil), sha256.Sum256(nil); got != want {
		t.Errorf("nothing: got %x, want %x", got, want)
	}
}

func content(t *testing.T, raw string) [sha256.Size]byte {
	t.Helper()
	d, err := Parse([]byte(raw)).ContentDigest(bytes.NewReader([]byte(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// the same Message-ID, author and own text is one message.
func TestContentDigest(t *testing.T) {
	const direct = "From: Ana <ana@example.org>\nTo: bo@x\nSubject: s\n\nI agree  with that.\n\nOn Tuesday Bo wrote:\n> So?\n"
	want := content(t, direct)
	for name, raw := range map[string]string{
		"over a list": "Received: y\nFrom: \"Ana (list)\" <Ana@EXAMPLE.org>\nSubject: [list] s\nList-Id: <l.x>\n\nI agree with\nthat.\n\n" +
			"On Tuesday Bo wrote:\n> So?\n_______________________________________________\nlist mailing list\nlist@x\n",
		"encoded": "From: ana@example.org\nContent-Transfer-Encoding: base64\n\nSSBhZ3JlZSB3aXRoIHRoYXQuCg==\n",
	} {
		if content(t, raw) != want {
			t.Errorf("%s: another digest", name)
		}
	}
	for name, raw := range map[string]string{
		"another author": "From: eve@example.org\n\nI agree with that.\n",
		"another text":   "From: ana@example.org\n\nI do not agree with that.\n",
		"an attachment": "From: ana@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nI agree with that.\n" +
			"--b\nContent-Type: image/png\n\nx\n--b--\n",
	} {
		if content(t, raw) == want {
			t.Errorf("%s: the same digest", name)
		}
	}
}
