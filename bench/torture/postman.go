package torture

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
)

// postman is somebody outside who sends mail, answers mail, and now and then
// brings the same mail again.
type postman struct {
	p     *Play
	rng   *rand.Rand
	mails []*Op
}

// Postmen says how many there are.
func (p *Play) Postmen(n int) {
	p.postmen = nil
	for i := range n {
		p.postmen = append(p.postmen, &postman{p: p, rng: rand.New(rand.NewPCG(p.Seed, uint64(i+1)<<32))})
	}
}

func (m *postman) work(ctx context.Context, steps int, doors []Door) {
	for range steps {
		if ctx.Err() != nil {
			return
		}
		m.turn(ctx, doors[m.rng.IntN(len(doors))])
		pause(ctx, m.p.thinks(m.rng))
	}
}

// turn brings one mail.
func (m *postman) turn(ctx context.Context, d Door) {
	if len(m.mails) > 0 && m.rng.IntN(8) == 0 {
		m.p.attempt(ctx, d, m.mails[m.rng.IntN(len(m.mails))])
		return
	}
	o := m.mail()
	m.mails = append(m.mails, o)
	m.p.Ask(ctx, d, o)
}

// mail writes one: small, or too large for a row; alone, or in answer to earlier
// ones; plain, or with something attached.
func (m *postman) mail() *Op {
	p, rng := m.p, m.rng
	o := &Op{Kind: Mail, To: []int{rng.IntN(len(p.People))}}
	if other := rng.IntN(len(p.People)); other != o.To[0] && rng.IntN(3) == 0 {
		o.To = append(o.To, other)
	}
	o.Each = make([]Outcome, len(o.To))
	for range rng.IntN(3) {
		if len(m.mails) > 0 {
			if old := m.mails[rng.IntN(len(m.mails))]; old.ID != "" {
				o.Refs = append(o.Refs, old.ID)
			}
		}
	}
	p.H.begin(o)
	if rng.IntN(12) > 0 {
		o.ID = o.Word + "@else.where"
	}
	size := rng.IntN(400)
	if rng.IntN(8) == 0 {
		size = 33_000 + rng.IntN(30_000)
	}
	if rng.IntN(5) == 0 {
		o.File = make([]byte, 1+rng.IntN(3000))
		for i := range o.File {
			o.File[i] = byte(rng.Uint32())
		}
	}
	o.Text = filler(o.Word, size)
	o.Raw = o.message()
	return o
}

// message is the mail as it is sent (RFC 5322, RFC 2046).
func (o *Op) message() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: Sender <sender@else.where>\r\nTo: list@example.org\r\nSubject: about %s\r\n", o.Word)
	b.WriteString("Date: Thu, 1 Jan 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n")
	if o.ID != "" {
		fmt.Fprintf(&b, "Message-ID: <%s>\r\n", o.ID)
	}
	if n := len(o.Refs); n > 0 {
		fmt.Fprintf(&b, "In-Reply-To: <%s>\r\nReferences:", o.Refs[n-1])
		for _, r := range o.Refs {
			fmt.Fprintf(&b, " <%s>", r)
		}
		b.WriteString("\r\n")
	}
	text := wrap(o.Text)
	if o.File == nil {
		fmt.Fprintf(&b, "Content-Type: text/plain; charset=us-ascii\r\n\r\n%s\r\n", text)
		return b.Bytes()
	}
	fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=edge\r\n\r\n--edge\r\nContent-Type: text/plain\r\n\r\n%s\r\n", text)
	b.WriteString("--edge\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n")
	fmt.Fprintf(&b, "Content-Disposition: attachment; filename=%s.bin\r\n\r\n%s\r\n--edge--\r\n", o.Word, wrap(base64.StdEncoding.EncodeToString(o.File)))
	return b.Bytes()
}

// wrap keeps lines within RFC 5322 2.1.1.
func wrap(s string) string {
	var b bytes.Buffer
	for len(s) > 76 {
		b.WriteString(s[:76] + "\r\n")
		s = s[76:]
	}
	return b.String() + s
}
