package gateway

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/gateway/edge"
)

// Each filter is seen to act through the whole handler.

func TestRecover(t *testing.T) {
	var log bytes.Buffer
	h := newHarness(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	h.hook = func(context.Context, string) error { panic("broken invariant of a secret kind") }
	a := h.want(500, "internal", "GET", "/v1/mailbox", "", asAna)
	if strings.Contains(a.body, "invariant") {
		t.Errorf("a stranger reads the panic: %s", a.body)
	}
	if !strings.Contains(log.String(), "broken invariant") || !strings.Contains(log.String(), "stack=") {
		t.Errorf("the log lacks the panic: %s", log.String())
	}
	h.hook = nil
	h.want(200, "", "GET", "/v1/mailbox", "", asAna)
}

func TestRequestID(t *testing.T) {
	h := newHarness(t, nil)
	first := h.want(404, "not_found", "GET", "/v1/nothing", "")
	second := h.want(200, "", "GET", "/v1/mailbox", "", asAna, "Parley-Request-Id: mine")
	a, b := first.header.Get("Parley-Request-Id"), second.header.Get("Parley-Request-Id")
	if a == b || b == "mine" {
		t.Errorf("got ids %q and %q, want two of the server's", a, b)
	}
	if !strings.Contains(first.body, a) {
		t.Errorf("the problem does not carry %s: %s", a, first.body)
	}
}

func TestTracing(t *testing.T) {
	h := newHarness(t, nil)
	var got edge.Trace
	h.hook = func(ctx context.Context, _ string) error {
		got, _ = edge.TraceOf(ctx)
		return nil
	}
	const id, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, tc := range []struct {
		name, parent string
		joined       bool
	}{
		{"joins", "00-" + id + "-" + span + "-01", true},
		{"later version", "cc-" + id + "-" + span + "-01-what-comes", true},
		{"none", "", false},
		{"version 00 with more", "00-" + id + "-" + span + "-01-x", false},
		{"version ff", "ff-" + id + "-" + span + "-01", false},
		{"upper case", "00-" + strings.ToUpper(id) + "-" + span + "-01", false},
		{"zero id", "00-" + strings.Repeat("0", 32) + "-" + span + "-01", false},
		{"zero span", "00-" + id + "-" + strings.Repeat("0", 16) + "-01", false},
		{"short", "00-" + id, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h.T = t
			h.want(200, "", "GET", "/v1/mailbox", "", asAna, "Traceparent: "+tc.parent, "Tracestate: a=1")
			if joined := strings.HasPrefix(got.Header(), "00-"+id+"-"); joined != tc.joined || strings.Contains(got.Header(), span) {
				t.Errorf("got %s, want joined %v with a span of its own", got.Header(), tc.joined)
			}
			if (got.State == "a=1") != tc.joined {
				t.Errorf("got state %q", got.State)
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Timeout = time.Millisecond })
	h.hook = func(ctx context.Context, m string) error {
		if m != "Stats" {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
	h.want(503, "unavailable", "GET", "/v1/mailbox", "", asAna)
}

func TestHangUp(t *testing.T) {
	reg := prometheus.NewRegistry()
	h := newHarness(t, func(c *Config) { c.Metrics = reg })
	ctx, hangUp := context.WithCancel(t.Context())
	h.hook = func(ctx context.Context, m string) error {
		if m != "Stats" {
			return nil
		}
		hangUp()
		<-ctx.Done()
		return ctx.Err()
	}
	h.send(request("GET", "/v1/mailbox", "", asAna).WithContext(ctx))
	if n := metric(t, reg, "parley_gateway_requests_total", "getMailbox", "GET", "hung_up"); n != 1 {
		t.Errorf("got %v requests hung up, want 1", n)
	}
}

func TestStats(t *testing.T) {
	reg := prometheus.NewRegistry()
	h := newHarness(t, func(c *Config) { c.Metrics = reg })
	h.hook = func(_ context.Context, m string) error {
		if n := metric(t, reg, "parley_gateway_in_flight_requests"); m == "Stats" && n != 1 {
			t.Errorf("got %v in flight, want 1", n)
		}
		return nil
	}
	h.want(200, "", "GET", "/v1/mailbox", "", asAna)
	h.want(401, "unauthenticated", "GET", "/v1/mailbox", "")
	h.want(404, "not_found", "GET", "/v1/x/y/z", "")
	h.want(405, "method_not_allowed", "BREW", "/v1/mailbox", "")
	for _, tc := range []struct {
		want   float64
		labels []string
	}{
		{1, []string{"getMailbox", "GET", "2xx"}}, {1, []string{"getMailbox", "GET", "4xx"}},
		{1, []string{"unknown", "GET", "4xx"}}, {1, []string{"unknown", "other", "4xx"}},
	} {
		if n := metric(t, reg, "parley_gateway_requests_total", tc.labels...); n != tc.want {
			t.Errorf("got %v of %v, want %v", n, tc.labels, tc.want)
		}
	}
	if n := metric(t, reg, "parley_gateway_in_flight_requests"); n != 0 {
		t.Errorf("got %v in flight, want 0", n)
	}
	if _, err := New(Config{Accounts: h, Mailboxes: h, Rooms: h, Secret: secret, Metrics: reg}); err == nil {
		t.Error("the same metrics were registered twice")
	}
}

func TestHandleTime(t *testing.T) {
	reg := prometheus.NewRegistry()
	now := noon
	h := newHarness(t, func(c *Config) {
		c.Metrics, c.Now = reg, func() time.Time { return now }
	})
	h.hook = func(_ context.Context, m string) error {
		now = now.Add(time.Second)
		return nil
	}
	h.want(200, "", "GET", "/v1/mailbox", "", asAna)
	if n := metric(t, reg, "parley_gateway_request_seconds", "getMailbox"); n != 2 { // Authenticate and Stats
		t.Errorf("got %v s, want 2", n)
	}
}

func TestLog(t *testing.T) {
	var log bytes.Buffer
	h := newHarness(t, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
		c.NewID = func() string { return "req_" + strings.Repeat("a", 26) }
	})
	h.want(201, "", "POST", "/v1/threads/"+string(boat)+"/messages", `{"text":"a private matter"}`, asAna, key("hidden-key"))
	h.want(200, "", "GET", "/v1/threads?participant=dee@example.net", "", asAna)
	h.hook = failing("Stats", errors.New("the cause"))
	h.want(500, "internal", "GET", "/v1/mailbox", "", asAna)
	for _, want := range []string{
		"level=INFO msg=request request=req_aaaaaaaaaaaaaaaaaaaaaaaaaa route=postMessage method=POST status=201", "mailbox=" + string(ana), "trace=",
		"level=ERROR msg=request request=req_aaaaaaaaaaaaaaaaaaaaaaaaaa route=getMailbox method=GET status=500", "code=internal", `err="the cause"`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
	for _, never := range []string{"private", "hidden-key", "dee@", "Bearer", "boat"} {
		if strings.Contains(log.String(), never) {
			t.Errorf("the log has %q: %s", never, log.String())
		}
	}
}

func TestHealth(t *testing.T) {
	now, asked := noon, 0
	var sick error
	h := newHarness(t, func(c *Config) {
		c.Now = func() time.Time { return now }
		c.Checks = map[string]func(context.Context) error{"store": func(context.Context) error { asked++; return sick }}
		c.Hosts = []string{"mail.example.org"}
		c.AddressBurst, c.AddressEvery = 1, time.Hour
	})
	h.hook = func(context.Context, string) error { return errors.New("the stores are down") }
	status := func(want int, says string) {
		t.Helper()
		if a := h.want(want, "", "GET", "/v1/status", ""); !strings.Contains(a.body, says) {
			t.Errorf("got %s, want %s", a.body, says)
		}
	}
	status(200, `"status":"ok"`)
	sick = errors.New("no disk")
	status(200, `"status":"ok"`) // as seen less than a second ago
	now = now.Add(time.Second)
	status(200, `"status":"degraded","version":"test","time":"2026-03-04T12:00:01Z","checks":{"store":"failed"}`)
	if asked != 2 {
		t.Errorf("asked the store %d times, want 2", asked)
	}
	h.gateway.Drain()
	if a := h.do("GET", "/v1/status", ""); a.status != 503 || !strings.Contains(a.body, `"status":"draining"`) {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

// TestHealthStuck holds that a check which obeys nobody is not piled up.
func TestHealthStuck(t *testing.T) {
	release, started := make(chan struct{}), make(chan struct{}, 9)
	filter := edge.Health(edge.HealthConfig{
		Checks:  map[string]func(context.Context) error{"store": func(context.Context) error { started <- struct{}{}; <-release; return nil }},
		Timeout: time.Millisecond, Draining: func() bool { return false }, Now: func() time.Time { return noon },
	})
	call := &edge.Call{Route: &edge.Route{Name: edge.StatusRoute}}
	ask := func() string {
		r, err := filter(t.Context(), call, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Body.(edge.Status).Checks["store"]
	}
	for range 3 {
		if got := ask(); got != "failed" {
			t.Errorf("got %s, want failed", got)
		}
	}
	close(release)
	for ask() != "ok" { // the first one's answer is on its way
	}
	if n := len(started); n != 1 {
		t.Errorf("the check was started %d times", n)
	}
}

func TestHosts(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Hosts = []string{"Mail.example.org", "::1"} })
	for host, want := range map[string]int{
		"mail.example.org": 200, "MAIL.example.org.:8443": 200, "[::1]:80": 200, "example.org": 404, "mail.example.org.evil.example": 404, "": 404,
	} {
		r := request("GET", "/v1/mailbox", "", asAna)
		r.Host = host
		if a := h.send(r); a.status != want {
			t.Errorf("%q: got %d, want %d", host, a.status, want)
		}
	}
}

func TestTraffic(t *testing.T) {
	now := noon
	h := newHarness(t, func(c *Config) {
		c.Now = func() time.Time { return now }
		c.AddressBurst, c.AddressEvery = 2, 5*time.Second
		c.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	from := func(want int, remote string, lines ...string) answer {
		t.Helper()
		r := request("GET", "/v1/openapi.json", "", lines...)
		r.RemoteAddr = remote
		a := h.send(r)
		if a.status != want {
			t.Errorf("%s %v: got %d, want %d", remote, lines, a.status, want)
		}
		return a
	}
	from(200, "192.0.2.1:1000")
	from(200, "192.0.2.1:1001")
	a := from(429, "192.0.2.1:1002")
	if got := a.header.Get("Retry-After"); got != "5" {
		t.Errorf("got Retry-After %s, want 5", got)
	}
	from(429, "192.0.2.1:1003", "X-Forwarded-For: 192.0.2.9") // nobody believes it
	from(200, "192.0.2.2:1000")
	now = now.Add(5 * time.Second)
	from(200, "192.0.2.1:1000")

	from(200, "[2001:db8::1]:1")
	from(200, "[2001:db8::2]:1")
	from(429, "[2001:db8::3]:1") // one network is one client
	from(200, "[2001:db8:0:1::1]:1")

	from(200, "10.0.0.1:1", "X-Forwarded-For: 198.51.100.7, 203.0.113.5")
	from(200, "10.0.0.2:1", "X-Forwarded-For: 198.51.100.8, 203.0.113.5, 10.0.0.3")
	from(429, "10.0.0.1:1", "X-Forwarded-For: 203.0.113.6", "X-Forwarded-For: 203.0.113.5")
	from(200, "10.0.0.1:1", "X-Forwarded-For: 203.0.113.6")
	from(200, "@") // a Unix socket
}

func TestAccountLimits(t *testing.T) {
	now := noon
	h := newHarness(t, func(c *Config) {
		c.Now = func() time.Time { return now }
		c.AccountBurst, c.AccountEvery, c.AccountInFlight = 4, time.Second, 1
	})
	h.hook = func(_ context.Context, m string) error {
		if m == "Stats" { // one is in flight: no room for a second of this account
			h.want(429, "rate_limited", "GET", "/v1/folders", "", asAna)
			h.want(200, "", "GET", "/v1/folders", "", "Authorization: Bearer bo")
		}
		return nil
	}
	h.want(200, "", "GET", "/v1/mailbox", "", asAna)
	h.hook = nil
	h.want(200, "", "GET", "/v1/folders", "", asAna)
	h.want(200, "", "GET", "/v1/folders", "", asAna)
	h.want(429, "rate_limited", "GET", "/v1/folders", "", asAna)
	h.want(200, "", "GET", "/v1/folders", "", "Authorization: Bearer bo")
	now = now.Add(time.Second)
	h.want(200, "", "GET", "/v1/folders", "", asAna)
}

func TestSecurityHeaders(t *testing.T) {
	h := newHarness(t, nil)
	for _, path := range []string{"/v1/mailbox", "/v1/nothing", "/v1/status", "/v1/openapi.json", "/v1/blobs/" + string(photo), "/v1/messages/" + string(bill) + "/raw"} {
		a := h.do("GET", path, "", asAna, "Origin: https://evil.example")
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: got %s %q, want %q", path, name, got, want)
			}
		}
		if a.header.Get("Cache-Control") == "" {
			t.Errorf("%s may be cached", path)
		}
	}
}

// metric is a counter, a gauge, or the sum of a histogram. Labels are matched by
// value, since their names differ.
func metric(t *testing.T, reg *prometheus.Registry, name string, labels ...string) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			found := f.GetName() == name
			for _, want := range labels {
				has := false
				for _, l := range m.GetLabel() {
					has = has || l.GetValue() == want
				}
				found = found && has
			}
			if found {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetHistogram().GetSampleSum()
			}
		}
	}
	return 0
}

var _ http.Handler = (*Gateway)(nil)
var _ Accounts = (*fake)(nil)
