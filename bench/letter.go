package bench

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/parley-im/parley"
)

// letter is a mail of a stream: who writes, what it answers, what it says.
type letter struct {
	n       int // number in its stream; names it
	answers int // number of the letter that it answers; -1: none
	sender  int
	text    string
}

// Shape of a stream of mail.
const (
	correspondents = 40
	smallText      = 1500     // about the median of text mail
	largeText      = 50 << 10 // beyond the 32 KiB that stay in the row
	largeEvery     = 8        // in mixed mail
	answerWithin   = 50       // the last letters that one may answer
)

// stationery is text to write letters with. It never changes.
type stationery struct{ small, large []string }

const sheets = 16

func newStationery() stationery {
	var s stationery
	for i := range uint64(sheets) {
		s.small, s.large = append(s.small, prose(i, smallText)), append(s.large, prose(i, largeText))
	}
	return s
}

// letters draws n small mails of which every second answers an earlier one.
func (s stationery) letters(seed uint64, n int) []letter {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]letter, n)
	for i := range out {
		out[i] = s.letter(i)
		out[i].sender = rng.IntN(correspondents)
		if i > 0 && rng.IntN(2) == 0 {
			out[i].answers = i - 1 - rng.IntN(min(i, answerWithin))
		}
	}
	return out
}

// letter is a small mail that answers nothing.
func (s stationery) letter(n int) letter {
	return letter{n: n, answers: -1, sender: n % correspondents, text: s.small[n%sheets]}
}

// largeLetter is one whose bytes become a blob.
func (s stationery) largeLetter(n int) letter {
	l := s.letter(n)
	l.text = s.large[n%sheets]
	return l
}

// mixedLetter is a large one now and then.
func (s stationery) mixedLetter(n int) letter {
	if n%largeEvery == 0 {
		return s.largeLetter(n)
	}
	return s.letter(n)
}

func messageID(n int) string { return fmt.Sprintf("<%d@else.where>", n) }

// raw is the mail as it is sent (RFC 5322).
func (l letter) raw() []byte {
	b := bytes.NewBuffer(make([]byte, 0, len(l.text)+512))
	fmt.Fprintf(b, "From: Sender %d <s%d@else.where>\r\nTo: p@example.org\r\nSubject: about %d\r\n", l.sender, l.sender, max(l.answers, l.n))
	fmt.Fprintf(b, "Date: Thu, 1 Jan 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nMessage-ID: %s\r\n", messageID(l.n))
	if l.answers >= 0 {
		fmt.Fprintf(b, "In-Reply-To: %s\r\nReferences: %s\r\n", messageID(l.answers), messageID(l.answers))
	}
	fmt.Fprintf(b, "\r\nLetter %d. ", l.n) // no two bodies are alike
	b.WriteString(l.text)
	return b.Bytes()
}

// prose is text of about n bytes that compresses as text does, in lines as mail has them.
func prose(seed uint64, n int) string {
	rng := rand.New(rand.NewPCG(seed, 2))
	var b bytes.Buffer
	for line := 0; b.Len() < n; {
		w := 2 + rng.IntN(8)
		for range w {
			b.WriteByte("etaoinshrdlucmfwygpbvkqxjz"[min(rng.IntN(26), rng.IntN(26))])
		}
		if line += w + 1; line > 70 {
			b.WriteString("\r\n")
			line = 0
			continue
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// receive brings a mail to one account by the door for mail.
func (h *house) receive(ctx context.Context, to int, raw []byte) error {
	env := parley.Envelope{From: "s@else.where", At: h.now(), To: []parley.EnvelopeTo{{Address: address(to), Account: personID(to)}}}
	return h.DeliverMail(ctx, env, bytes.NewReader(raw))[0]
}
