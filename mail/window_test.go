package mail

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWindow: a mail read through the window is the same as in memory, where
// lines, headers and delimiters lie across its edges.
func TestWindow(t *testing.T) {
	for seed := range uint64(10) {
		raw := []byte(randomMail(rand.New(rand.NewPCG(seed, 0)), 0))
		if len(raw) < 2*window {
			raw = append(raw, strings.Repeat("x", 2*window)...)
		}
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { check(t, raw) })
	}
}

// A line longer than the window comes in the same pieces, header or body.
func TestLongLines(t *testing.T) {
	for _, n := range []int{window - 1, window, window + 1, 2*window - 3, 5 * window} {
		long := strings.Repeat("x", n)
		check(t, []byte("From: a@example.org\nX-Long: "+long+"\nSubject: "+long+"\nTo: b@example.org\n"+long+"\nCc: c@example.org\n\n"+long+"\n"))
		check(t, []byte("Content-Type: multipart/mixed; boundary=b\n\n--b\n\n"+long+"--b\n\n--b\n"+long))
	}
}

func randomMail(rnd *rand.Rand, depth int) string {
	var b strings.Builder
	line := func(n int) string { return strings.Repeat("ab cd ", rnd.IntN(n/6+1)) }
	eol := []string{"\n", "\r\n"}[rnd.IntN(2)]
	fmt.Fprintf(&b, "From: a@example.org%sX-Fill: %s%s", eol, line(20_000), eol)
	if rnd.IntN(4) == 0 {
		b.WriteString("lost folding" + eol + "Subject: s" + eol)
	}
	boundary := fmt.Sprintf("b%d", rnd.IntN(100))
	fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%s%s%s", []string{boundary, "other"}[min(1, rnd.IntN(8)/7)], eol, eol)
	for range 2 + rnd.IntN(8) {
		fmt.Fprintf(&b, "--%s%s", boundary, eol)
		switch rnd.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "Content-Type: text/plain%s%s%s%s", eol, eol, line(90_000), eol)
		case 1:
			data := make([]byte, rnd.IntN(40_000))
			fmt.Fprintf(&b, "Content-Type: image/x%sContent-Transfer-Encoding: base64%s%s%s%s", eol, eol, eol, base64.StdEncoding.EncodeToString(data), eol)
		case 2:
			fmt.Fprintf(&b, "%sbegin 644 x%s#86)C%s`%send%s%s", eol, eol, eol, eol, eol, line(9000)+eol)
		case 3:
			if depth < 3 {
				fmt.Fprintf(&b, "Content-Type: message/rfc822%s%s%s", eol, eol, randomMail(rnd, depth+1))
			}
		default:
			for range rnd.IntN(3000) {
				b.WriteString(line(60) + eol)
			}
		}
	}
	if rnd.IntN(3) > 0 {
		fmt.Fprintf(&b, "--%s--%s", boundary, eol)
	}
	return b.String()
}
