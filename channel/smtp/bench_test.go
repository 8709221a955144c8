package smtp

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

// sink takes everything.
type sink struct{ fake }

func (s *sink) DeliverMail(_ context.Context, env parley.Envelope, body io.Reader) []error {
	_, err := io.Copy(io.Discard, body)
	errs := make([]error, len(env.To))
	for i := range errs {
		errs[i] = err
	}
	return errs
}

// BenchmarkMessage is one session that sends message after message.
func BenchmarkMessage(b *testing.B) {
	for _, kib := range []int{4, 1024} {
		b.Run(fmt.Sprintf("KiB=%d", kib), func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			s := New(Config{Mailboxes: &sink{}})
			go s.Serve(l)
			defer s.Shutdown(context.Background())
			c, err := textproto.Dial("tcp", l.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			message := strings.Repeat(strings.Repeat("x", 62)+"\r\n", kib*16) + ".\r\n"
			say(b, c, "", 220)
			say(b, c, "LHLO client.example\r\n", 250)
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				say(b, c, "MAIL FROM:<ana@example.org>\r\nRCPT TO:<bo@mail.example>\r\nDATA\r\n", 250, 250, 354)
				say(b, c, message, 250)
			}
		})
	}
}

func say(b *testing.B, c *textproto.Conn, text string, codes ...int) {
	io.WriteString(c.W, text)
	if err := c.W.Flush(); err != nil {
		b.Fatal(err)
	}
	for _, code := range codes {
		if _, _, err := c.ReadResponse(code); err != nil {
			b.Fatal(err)
		}
	}
}
