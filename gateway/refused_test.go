package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client that sends all of a large body before it reads finds the refusal, not a
// reset.
func TestRefusedBodiesAreRead(t *testing.T) {
	for _, tc := range []struct {
		name, head string
		who        string
		want       int
	}{
		{"too large", "POST /v1/threads HTTP/1.1\r\nContent-Type: application/json", asAna, http.StatusRequestEntityTooLarge},
		{"a form", "POST /v1/threads HTTP/1.1\r\nContent-Type: text/plain", asAna, http.StatusUnsupportedMediaType},
		{"upload of a stranger", "POST /v1/blobs HTTP/1.1\r\nContent-Type: text/plain", "Authorization: Bearer nobody", http.StatusUnauthorized},
		{"no such path", "POST /v1/nowhere HTTP/1.1\r\nContent-Type: text/plain", asAna, http.StatusNotFound},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s chunked=%t", tc.name, chunked), func(t *testing.T) {
				_, server := live(t, nil)
				conn := dial(t, server.Listener.Addr())
				body := strings.Repeat("a", 10<<20)
				length := fmt.Sprintf("Content-Length: %d", len(body))
				if chunked {
					length, body = "Transfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
				}
				if _, err := fmt.Fprintf(conn, "%s\r\nHost: x\r\n%s\r\n%s\r\n%s\r\n\r\n%s", tc.head, key("k"), tc.who, length, body); err != nil {
					t.Fatalf("sending: %v", err)
				}
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil || answer.StatusCode != tc.want {
					t.Errorf("got %v, %v, want %d", answer, err, tc.want)
				}
			})
		}
	}
}

// Who asks before it sends is refused without having sent; who sends without end is
// cut off.
func TestRefusedBodiesAreBounded(t *testing.T) {
	const head = "POST /v1/threads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n"
	_, server := live(t, nil)
	asks := dial(t, server.Listener.Addr())
	fmt.Fprintf(asks, "%sExpect: 100-continue\r\n%s\r\n%s\r\n\r\n", head, key("k"), asAna)
	if answer, err := http.ReadResponse(bufio.NewReader(asks), nil); err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("who asks got %v, %v, want 413 at once", answer, err)
	}
	endless := dial(t, server.Listener.Addr())
	fmt.Fprintf(endless, "%s%s\r\n%s\r\n\r\n", head, key("l"), asAna)
	if n, err := io.Copy(endless, io.LimitReader(zeros{}, 999999999)); err == nil {
		t.Errorf("all %d bytes were taken", n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// dial is a connection that ends with the test, and does not wait for ever.
func dial(t *testing.T, addr net.Addr) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}
