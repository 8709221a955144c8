package smtp

import (
	"context"
	"io"
	"net"
	"net/textproto"
	"runtime"
	"strings"
	"testing"
	"time"
)

// serve listens on a loopback port until the test ends, and then sees that
// nothing is left of it.
func serve(t *testing.T, cfg Config) (addr string, s *Server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = New(cfg)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if stacks := left(); stacks != "" {
			t.Errorf("goroutines left:\n%s", stacks)
		}
	})
	return l.Addr().String(), s
}

// left waits for the goroutines of servers to end, and shows those that do not.
func left() (stacks string) {
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		stacks = ""
		buf := make([]byte, 1<<20)
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "smtp.(*Server)") || strings.Contains(stack, "smtp.(*session)") {
				stacks += stack + "\n\n"
			}
		}
		if stacks == "" {
			return ""
		}
		<-time.After(time.Millisecond)
	}
	return stacks
}

// raw is a client that sends bytes as they are.
type raw struct {
	t *testing.T
	*textproto.Conn
}

func dial(t *testing.T, addr string) raw {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(time.Minute))
	c := raw{t, textproto.NewConn(conn)}
	t.Cleanup(func() { c.Close() })
	c.want(220)
	c.send("LHLO client.example\r\n")
	c.want(250)
	return c
}

func (c raw) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.W, text); err != nil {
		c.t.Fatal(err)
	}
	if err := c.W.Flush(); err != nil {
		c.t.Fatal(err)
	}
}

func (c raw) want(codes ...int) {
	c.t.Helper()
	for _, code := range codes {
		if _, _, err := c.ReadResponse(code); err != nil {
			c.t.Fatalf("got %v, want %d", err, code)
		}
	}
}

// begin is a transaction up to the content.
func (c raw) begin(to ...string) {
	c.t.Helper()
	c.send("MAIL FROM:<ana@example.org>\r\n")
	c.want(250)
	for _, address := range to {
		c.send("RCPT TO:<" + address + ">\r\n")
		c.want(250)
	}
	c.send("DATA\r\n")
	c.want(354)
}
