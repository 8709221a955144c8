package gateway

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A sender that stands still in its body does not hold up a drain: it hears 503, or
// finds the connection closed.
func TestStalledBodiesDrain(t *testing.T) {
	for _, tc := range []struct{ name, head, part string }{
		{"upload", "POST /v1/blobs HTTP/1.1\r\nIdempotency-Key: \"stalled-upload-1\"\r\nContent-Type: text/plain\r\nContent-Length: 100000", "some"},
		{"JSON", "POST /v1/threads HTTP/1.1\r\nIdempotency-Key: \"stalled-create-1\"\r\nContent-Type: application/json\r\nContent-Length: 500", `{"to":`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h, server := live(t, nil)
			server.Config.RegisterOnShutdown(h.gateway.Drain)
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "%s\r\nHost: x\r\nExpect: 100-continue\r\n%s\r\n\r\n", tc.head, asAna)
			in := bufio.NewReader(conn)
			if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100") { // the body is being waited for
				t.Fatalf("got %q, %v", line, err)
			}
			if _, err := in.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(conn, tc.part)
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
			defer cancel()
			if err := server.Config.Shutdown(ctx); err != nil {
				t.Fatalf("after %v: %v", time.Since(start), err)
			}
			answer, err := http.ReadResponse(in, nil)
			if err != nil || answer.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("the stalled sender got %v, %v, want 503", answer, err)
			}
		})
	}
}
