package client

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestNewRefuses(t *testing.T) {
	for _, cfg := range []Config{
		{}, {BaseURL: "parley.example.org"}, {BaseURL: "ftp://parley.example.org"}, {BaseURL: "https://parley.example.org/v1?x=1"},
		{BaseURL: "https://parley.example.org/v1", Token: "a\nb"}, {BaseURL: ":"},
	} {
		if _, err := New(cfg); err == nil || !strings.HasPrefix(err.Error(), "client: ") {
			t.Errorf("%+v: got %v", cfg, err)
		}
	}
}

func TestRequest(t *testing.T) {
	c, s := before(t, func(c *Config) { c.Account = "acc_own" }, says(200, `{}`))
	var err error
	try := func(_ any, e error) { err = errors.Join(err, e) }
	try(c.ListThreads(t.Context(), ListThreadsParams{Limit: 7, Folder: "inbox", Unread: new(false)}, AtLeast(42)))
	try(c.PutExternalAccount(t.Context(), "crm/17 ü", ExternalAccount{Name: "Ana"}))
	try(c.UpdateThread(t.Context(), "thr_1", ThreadChange{Read: new(true), Subject: new("")}, IfMatch(`"3"`), Key("mine"), As("acc_other")))
	try(c.GetStatus(t.Context()))
	try(c.GetBlob(t.Context(), "blb_1", GetBlobParams{Range: ByteRange(10, 19), IfNoneMatch: `"x"`}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		line, body string
		header     map[string]string
	}{
		{"GET https://parley.example.org/v1/threads?at_least=42&folder=inbox&limit=7&unread=false", "", map[string]string{"Authorization": "Bearer secret", "Parley-Account": "acc_own", "Idempotency-Key": "", "Content-Type": ""}},
		{"PUT https://parley.example.org/v1/accounts/external/crm%2F17%20%C3%BC", `{"name":"Ana"}`, map[string]string{"Content-Type": "application/json", "Idempotency-Key": ""}},
		{"PATCH https://parley.example.org/v1/threads/thr_1", `{"read":true,"subject":""}`, map[string]string{"If-Match": `"3"`, "Idempotency-Key": "mine", "Parley-Account": "acc_other"}},
		{"GET https://parley.example.org/v1/status", "", map[string]string{"Authorization": "", "Parley-Account": ""}},
		{"GET https://parley.example.org/v1/blobs/blb_1", "", map[string]string{"Range": "bytes=10-19", "If-None-Match": `"x"`}},
	} {
		r := s.requests[i]
		if got := r.Method + " " + r.URL.String(); got != want.line || s.bodies[i] != want.body {
			t.Errorf("got %s %s, want %s %s", got, s.bodies[i], want.line, want.body)
		}
		for name, value := range want.header {
			if got := r.Header.Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", want.line, name, got, value)
			}
		}
	}
}

func TestAnswer(t *testing.T) {
	c, _ := before(t, nil, says(201, `{"id":"msg_1","text":"a","of_tomorrow":{"x":1}}`,
		"Parley-Request-Id: req_1", "Parley-Revision: 42", "Parley-Command: cmd_1", "Idempotent-Replayed: true", `ETag: "42"`, "Location: /v1/messages/msg_1"))
	var got Answer
	m, err := c.PostMessage(t.Context(), "thr_1", Post{Text: "a"}, Keep(&got))
	if err != nil || m.ID != "msg_1" || m.Text != "a" {
		t.Fatalf("got %+v, %v", m, err)
	}
	want := Answer{Status: 201, RequestID: "req_1", Revision: 42, Command: "cmd_1", Replayed: true, ETag: `"42"`, Location: "/v1/messages/msg_1", Attempts: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestProblem(t *testing.T) {
	for name, tc := range map[string]struct {
		answer func(*http.Request) (*http.Response, error)
		want   Problem
	}{
		"of the server": {
			refuses(429, "rate_limited", "Retry-After: 90"),
			Problem{ProblemFields: ProblemFields{Type: "urn:parley:problem:x", Title: "X", Status: 429, Detail: "Why.", Code: ProblemCodeRateLimited, Field: "text", RequestID: "req_1"}, RetryAfter: 90 * time.Second},
		},
		"of a proxy": {says(502, "<html>", "Retry-After: Mon, 30 Nov 2026 21:00:00 GMT"), Problem{ProblemFields: ProblemFields{Title: "Bad Gateway", Status: 502}}},
		"header":     {refuses(404, "not_found", "Parley-Request-Id: req_2"), Problem{ProblemFields: ProblemFields{Type: "urn:parley:problem:x", Title: "X", Status: 404, Detail: "Why.", Code: ProblemCodeNotFound, Field: "text", RequestID: "req_2"}}},
	} {
		c, _ := before(t, func(c *Config) { c.Attempts = 1 }, tc.answer)
		var kept Answer
		_, err := c.GetMailbox(t.Context(), Keep(&kept))
		p := (*Problem)(nil)
		if !errors.As(err, &p) {
			t.Fatalf("%s: got %v", name, err)
		}
		if int64(kept.Status) != tc.want.Status {
			t.Errorf("%s: kept %+v", name, kept)
		}
		got := *p
		got.Body = nil
		if len(p.Body) == 0 || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, tc.want)
		}
	}
	p := &Problem{ProblemFields: ProblemFields{Status: 400, Code: "bad_request", Detail: "Too long.", Field: "text", RequestID: "req_1"}}
	if got, want := p.Error(), "client: 400 bad_request: Too long. (text) [req_1]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTooLongAnswer(t *testing.T) {
	c, s := before(t, func(c *Config) { c.MaxBody = 10 }, says(200, `{"badge": 123456}`))
	if _, err := c.GetMailbox(t.Context()); err == nil || len(s.requests) != 1 {
		t.Errorf("got %v after %d requests", err, len(s.requests))
	}
	c, _ = before(t, nil, says(200, `[]`))
	if _, err := c.GetMailbox(t.Context()); err == nil || !strings.Contains(err.Error(), "getMailbox: an answer of another form") {
		t.Errorf("got %v", err)
	}
}

func TestPages(t *testing.T) {
	c, s := before(t, nil, says(200, `{"data":[{"id":"a"},{"id":"b"}],"next":"x y","prev":null}`), says(200, `{"data":[{"id":"c"}],"next":null}`),
		says(200, `{"data":[{"id":"d"}],"next":"z"}`), refuses(400, "bad_cursor"))
	all := c.AllMessages(t.Context(), "thr_1", ListMessagesParams{Limit: 2})
	var got []string
	for m, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(m.ID))
	}
	if strings.Join(got, " ") != "a b c" || s.requests[1].URL.RawQuery != "after=x+y&limit=2" {
		t.Errorf("got %q by %s", got, s.requests[1].URL.RawQuery)
	}
	var last error
	for m, err := range all { // from the beginning again
		if last = err; err == nil && m.ID != "d" {
			t.Errorf("got %s", m.ID)
		}
	}
	if p := (*Problem)(nil); !errors.As(last, &p) || p.Code != ProblemCodeBadCursor || s.requests[2].URL.RawQuery != "limit=2" {
		t.Errorf("got %v by %s", last, s.requests[2].URL.RawQuery)
	}
	for range c.AllThreads(t.Context(), ListThreadsParams{}) {
		break
	}
}
