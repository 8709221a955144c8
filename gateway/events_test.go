package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
)

// stream is an open /v1/events on a real connection.
type stream struct {
	*http.Response
	t     *testing.T
	lines *bufio.Reader
}

// live is a harness behind a listener.
func live(t *testing.T, change func(*Config)) (*harness, *httptest.Server) {
	h := newHarness(t, change)
	server := httptest.NewServer(h.gateway)
	t.Cleanup(func() { h.gateway.Drain(); server.Close() })
	return h, server
}

func open(t *testing.T, server *httptest.Server, query string, lines ...string) *stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/v1/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return &stream{resp, t, bufio.NewReader(resp.Body)}
}

// next is one server-sent event, as "id event data"; comments and retry are
// events of one field. "" is the end.
func (s *stream) next() string {
	s.t.Helper()
	var fields []string
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return ""
		}
		if line = strings.TrimSuffix(line, "\n"); line == "" {
			return strings.Join(fields, "|")
		}
		fields = append(fields, line)
	}
}

func (s *stream) expect(want ...string) {
	s.t.Helper()
	for _, w := range want {
		if got := s.next(); !strings.HasPrefix(got, w) {
			s.t.Fatalf("got %q, want %q", got, w)
		}
	}
}

func TestEventsFromNow(t *testing.T) {
	h, server := live(t, nil)
	s := open(t, server, "", asAna)
	if s.StatusCode != 200 || s.Header.Get("Content-Type") != "text/event-stream" || s.Header.Get("Parley-Revision") != "9" {
		t.Fatalf("got %d %v", s.StatusCode, s.Header)
	}
	s.expect("retry: 3000")
	a := h.want(201, "", "POST", "/v1/threads/"+string(boat)+"/messages", `{"text":"a"}`, asAna, key("k"))
	got := s.next()
	id, data, _ := strings.Cut(got, "|event: message.created|data: ")
	if id != "id: 10.0" {
		t.Errorf("got %s", got)
	}
	var e event
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		t.Fatal(err)
	}
	if err := h.doc.check(pointer("components", "schemas", "Event"), plain(t, e)); err != nil {
		t.Error(err)
	}
	if e.Account != ana || e.Thread != boat || e.Cause != a.header.Get("Parley-Command") {
		t.Errorf("got %+v", e)
	}
}

func TestEventsResume(t *testing.T) {
	_, server := live(t, nil)
	for _, tc := range []struct {
		name, query, last string
		want              []string
	}{
		{"after a revision", "?since=8", "", []string{"id: 9.0|", "id: 9.1|"}},
		{"inside an action", "?since=8.0", "", []string{"id: 8.1|", "id: 9.0|", "id: 9.1|"}},
		{"Last-Event-ID", "", "8.1", []string{"id: 9.0|event: message.created|", "id: 9.1|event: counts|"}},
		{"Last-Event-ID is stronger", "?since=3", "9.0", []string{"id: 9.1|"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			lines := []string{asAna}
			if tc.last != "" {
				lines = append(lines, "Last-Event-ID: "+tc.last)
			}
			open(t, server, tc.query, lines...).expect(append([]string{"retry: 3000"}, tc.want...)...)
		})
	}
}

func TestEventsResync(t *testing.T) {
	h, server := live(t, nil)
	h.want(410, "resync", "GET", "/v1/events?since=1", "", asAna)
	h.want(410, "resync", "GET", "/v1/events", "", asAna, "Last-Event-ID: 1.5")
	h.want(410, "resync", "GET", "/v1/events?since=99", "", asAna) // of a future that this server has not had
	s := open(t, server, "?since=9", asAna)
	s.expect("retry: 3000")
	h.mu.Lock()
	h.kept = 100
	h.act(parley.Event{Type: parley.CountsChanged})
	h.mu.Unlock()
	s.expect("event: resync|data: {}", "")
}

func TestEventsHeartbeat(t *testing.T) {
	_, server := live(t, func(c *Config) { c.EventsHeartbeat = time.Millisecond })
	open(t, server, "", asAna).expect("retry: 3000", ":", ":", ":")
}

func TestEventsBounded(t *testing.T) {
	reg := prometheus.NewRegistry()
	h, server := live(t, func(c *Config) { c.MaxAccountStreams, c.MaxStreams, c.Metrics = 1, 2, reg })
	first := open(t, server, "", asAna)
	h.want(429, "rate_limited", "GET", "/v1/events", "", asAna)
	open(t, server, "", "Authorization: Bearer bo")
	if n := metric(t, reg, "parley_gateway_streams"); n != 2 {
		t.Errorf("got %v streams, want 2", n)
	}
	h.want(429, "rate_limited", "GET", "/v1/events", "", asApp, "Parley-Account: "+string(h.extra()))
	first.Body.Close()
	eventually(t, func() bool { return metric(t, reg, "parley_gateway_streams") == 1 })
	open(t, server, "", asAna).expect("retry: 3000")
}

// extra adds an account.
func (f *fake) extra() parley.AccountID {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := idOf[parley.AccountID]("acc_", "extra")
	f.accounts[id] = parley.Account{ID: id, Name: "Extra"}
	return id
}

func TestEventsDrain(t *testing.T) {
	h, server := live(t, nil)
	server.Config.RegisterOnShutdown(h.gateway.Drain)
	s := open(t, server, "", asAna)
	s.expect("retry: 3000")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := server.Config.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(s.Body); err != nil {
		t.Errorf("the stream was cut: %v", err)
	}
	h.want(503, "unavailable", "GET", "/v1/events", "", asAna)
}

// TestEventsRevoked: a stream does not outlive its token by more than a heartbeat.
func TestEventsRevoked(t *testing.T) {
	var mu sync.Mutex
	now := noon
	h, server := live(t, func(c *Config) {
		c.EventsHeartbeat = 5 * time.Millisecond
		c.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(time.Millisecond)
			return now
		}
	})
	s := open(t, server, "", asAna)
	s.expect("retry: 3000", ":")
	h.mu.Lock()
	delete(h.bearers, "ana")
	h.mu.Unlock()
	for s.next() != "" {
	}
}

// TestEventsStoreAway: the stream ends, and the client comes back by itself.
func TestEventsStoreAway(t *testing.T) {
	h, server := live(t, nil)
	h.hook = func(_ context.Context, m string) error {
		if m == "Events" {
			return errors.New("away")
		}
		return nil
	}
	open(t, server, "", asAna).expect("retry: 3000", "")
	h.want(500, "internal", "GET", "/v1/events?since=9", "", asAna)
}

// TestEventsSlowReader: who reads nothing is let go after WriteTimeout.
func TestEventsSlowReader(t *testing.T) {
	reg := prometheus.NewRegistry()
	h, server := live(t, func(c *Config) { c.WriteTimeout, c.Metrics = 50*time.Millisecond, reg })
	parts := make([]parley.PartID, 2000)
	for i := range parts {
		parts[i] = boPart
	}
	h.mu.Lock()
	for range 1000 { // 60 MB, more than the buffers of two sockets
		h.rev++
		h.events = append(h.events, parley.Event{Revision: h.rev, Type: parley.ParticipantJoined, At: noon, Thread: boat, Parts: parts})
	}
	h.mu.Unlock()
	open(t, server, "?since=9", asAna)
	eventually(t, func() bool { return metric(t, reg, "parley_gateway_streams") == 0 })
}

// eventually polls, with a deadline.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	deadline, tick := time.After(30*time.Second), time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("it did not come about")
		}
	}
}
