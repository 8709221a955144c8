package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// errCut is a connection that broke.
var errCut = errors.New("the connection broke")

// script is a server that answers one after the other; the last answer stays.
type script struct {
	t        *testing.T
	answers  []func(r *http.Request) (*http.Response, error)
	requests []*http.Request
	bodies   []string
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body.Close()
		body = string(text)
	}
	s.requests, s.bodies = append(s.requests, r), append(s.bodies, body)
	n := min(len(s.requests), len(s.answers)) - 1
	return s.answers[n](r)
}

// says answers with status, lines of header and a body.
func says(status int, body string, lines ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{}
		for _, line := range lines {
			name, value, _ := strings.Cut(line, ": ")
			h.Set(name, value)
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
	}
}

func cut(*http.Request) (*http.Response, error) { return nil, errCut }

// half answers with a body that breaks off.
func half(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"ba`), broken{})), Request: r}, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

const problem = `{"type":"urn:parley:problem:x","title":"X","status":400,"code":"CODE","detail":"Why.","field":"text","request_id":"req_1","more":[1]}`

func refuses(status int, code string, lines ...string) func(*http.Request) (*http.Response, error) {
	return says(status, strings.Replace(problem, "CODE", code, 1), lines...)
}

// before gives a client before a server that answers so.
func before(t *testing.T, change func(*Config), answers ...func(*http.Request) (*http.Response, error)) (*Client, *script) {
	t.Helper()
	s := &script{t: t, answers: answers}
	cfg := Config{BaseURL: "https://parley.example.org/v1/", Token: "secret", HTTP: &http.Client{Transport: s}}
	if change != nil {
		change(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}
