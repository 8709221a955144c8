package gateway

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// harness is a gateway over a fake. Every answer that it takes is held to
// openapi.json.
type harness struct {
	*testing.T
	*fake
	gateway *Gateway
	doc     *document
}

func newHarness(t *testing.T, change func(*Config)) *harness {
	t.Helper()
	f := newFake()
	c := Config{Accounts: f, Mailboxes: f, Rooms: f, Secret: secret, Now: func() time.Time { return noon }, Version: "test", AddressBurst: 1 << 20, AccountBurst: 1 << 20}
	if change != nil {
		change(&c)
	}
	g, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Drain)
	return &harness{T: t, fake: f, gateway: g, doc: loadDocument(t)}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// problem is the code and the field of a problem.
func (a answer) problem() (code, field string) {
	var p struct{ Code, Field string }
	_ = json.Unmarshal([]byte(a.body), &p)
	return p.Code, p.Field
}

// into reads the body as JSON.
func (a answer) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// request has lines of header as "Name: value"; a body is JSON unless they say
// otherwise.
func request(method, path, body string, lines ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body == "" {
		r.Body, r.ContentLength = http.NoBody, 0
	} else if !strings.Contains(strings.Join(lines, "\n"), "Content-Type: ") {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Add(name, value)
	}
	if r.Header.Get("Content-Type") == "none" {
		r.Header.Del("Content-Type")
	}
	return r
}

// do sends a request and holds the answer to the document.
func (h *harness) do(method, path, body string, lines ...string) answer {
	h.Helper()
	return h.send(request(method, path, body, lines...))
}

func (h *harness) send(r *http.Request) answer {
	h.Helper()
	w := httptest.NewRecorder()
	h.gateway.ServeHTTP(w, r)
	body, _ := io.ReadAll(w.Result().Body)
	a := answer{w.Code, w.Result().Header, string(body)}
	h.doc.hold(h.T, r, a)
	return a
}

// want sends a request and checks status, and for problems code and field.
func (h *harness) want(status int, problem, method, path, body string, lines ...string) answer {
	h.Helper()
	a := h.do(method, path, body, lines...)
	code, field := a.problem()
	got := code
	if field != "" {
		got += " " + field
	}
	if status < 400 {
		got = ""
	}
	if a.status != status || got != problem {
		h.Errorf("%s %s: got %d %q, want %d %q: %s", method, path, a.status, got, status, problem, a.body)
	}
	return a
}

const (
	asAna = "Authorization: Bearer ana"
	asApp = "Authorization: Bearer app"
)

func key(k string) string { return "Idempotency-Key: " + k }

func text(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// failing is a hook that fails one method.
func failing(method string, err error) func(context.Context, string) error {
	return func(_ context.Context, m string) error {
		if m == method {
			return err
		}
		return nil
	}
}

// serve sends a request without holding its answer to the document.
func serve(h *harness, r *http.Request) answer {
	w := httptest.NewRecorder()
	h.gateway.ServeHTTP(w, r)
	return answer{w.Code, w.Result().Header, w.Body.String()}
}
