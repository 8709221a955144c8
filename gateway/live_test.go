package gateway

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// TestLiveHangUp: a client that goes away ends the work done for it, also after
// it has sent a body.
func TestLiveHangUp(t *testing.T) {
	reg := prometheus.NewRegistry()
	h, server := live(t, func(c *Config) { c.Metrics = reg })
	w := hold("Post") // released by the end of the context alone
	h.hook = w.hook
	ctx, hangUp := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/v1/threads/"+string(boat)+"/messages", strings.NewReader(`{"text":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = request("POST", "/", "{}", asAna, key("k")).Header
	go func() {
		<-w.arrived
		hangUp()
	}()
	if _, err := server.Client().Do(r); err == nil {
		t.Error("the request was answered")
	}
	eventually(t, func() bool {
		return metric(t, reg, "parley_gateway_requests_total", "postMessage", "POST", "hung_up") == 1
	})
}

// TestLiveKeepAlive: the deadlines of one request do not outlast it on its
// connection.
func TestLiveKeepAlive(t *testing.T) {
	_, server := live(t, func(c *Config) { c.Timeout, c.WriteTimeout = time.Second, time.Second })
	do := func(k, method, path, body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = request(method, "/", body, asAna, key(k)).Header
		resp, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode >= 300 {
			t.Errorf("%s %s: got %d, %v", method, path, resp.StatusCode, err)
		}
	}
	do("1", "POST", "/v1/threads/"+string(boat)+"/messages", `{"text":"a"}`)
	do("2", "GET", "/v1/blobs/"+string(photo), "")
	wait := time.NewTimer(1200 * time.Millisecond) // past every deadline that was set
	<-wait.C
	do("2", "GET", "/v1/mailbox", "")
	do("3", "POST", "/v1/threads/"+string(boat)+"/messages", `{"text":"b"}`)
}
