package gateway

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-im/parley"
)

// ran is a batch's answer, with its problems' codes.
type ran struct {
	Answers []struct {
		Status  int
		Headers map[string]string
		Body    map[string]any
	}
}

func (h *harness) batch(k, body string) (r ran) {
	h.Helper()
	h.want(200, "", "POST", "/v1/batch", body, asAna, key(k)).into(h.T, &r)
	return r
}

func (r ran) statuses() (out []int) {
	for _, a := range r.Answers {
		out = append(out, a.Status)
	}
	return out
}

func one(method, path string) string {
	return fmt.Sprintf(`{"requests":[{"method":%q,"path":%q}]}`, method, path)
}

// TestBatchFilters: each request meets what it would meet alone.
func TestBatchFilters(t *testing.T) {
	for _, tc := range []struct {
		name, request string
		status        int
		code          string
	}{
		{"unknown path", one("GET", "/v1/nothing"), 404, "not_found"},
		{"wrong method", one("PUT", "/v1/mailbox"), 405, "method_not_allowed"},
		{"unknown parameter", one("GET", "/v1/mailbox?x=1"), 400, "unknown_field"},
		{"unknown field", `{"requests":[{"method":"PATCH","path":"/v1/threads/` + string(boat) + `","body":{"x":1}}]}`, 400, "unknown_field"},
		{"no body", one("PATCH", "/v1/threads/"+string(boat)), 415, "unsupported_media_type"},
		{"control character", one("GET", "/v1/threads?participant=a%00b"), 400, "bad_request"},
		{"scope", one("GET", "/v1/accounts"), 403, "not_permitted"},
		{"batch", `{"requests":[{"method":"POST","path":"/v1/batch","body":{"requests":[]}}]}`, 400, "not_in_batch"},
		{"stream", one("GET", "/v1/events"), 400, "not_in_batch"},
		{"upload", one("POST", "/v1/blobs"), 400, "not_in_batch"},
		{"bytes", one("GET", "/v1/messages/"+string(bill)+"/raw"), 400, "not_in_batch"},
		{"open", one("GET", "/v1/status"), 400, "not_in_batch"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHarness(t, nil)
			r := h.batch("k", tc.request)
			if a := r.Answers[0]; a.Status != tc.status || a.Body["code"] != tc.code || a.Body["request_id"] != a.Headers["Parley-Request-Id"] {
				t.Errorf("got %+v, want %d %s", a, tc.status, tc.code)
			}
		})
	}
}

func TestBatchRefused(t *testing.T) {
	h := newHarness(t, nil)
	many := `{"requests":[` + strings.Repeat(`{"method":"GET","path":"/v1/mailbox"},`, 50) + `{"method":"GET","path":"/v1/mailbox"}]}`
	for body, problem := range map[string]string{
		`{"requests":[]}`:          "bad_request requests",
		many:                       "bad_request requests",
		one("HEAD", "/v1/mailbox"): "bad_request requests.0.method",
		one("GET", "http://elsewhere/v1/mailbox"):                                                       "bad_request requests.0.path",
		one("GET", "//elsewhere/v1/mailbox"):                                                            "bad_request requests.0.path",
		one("GET", "/metrics"):                                                                          "bad_request requests.0.path",
		`{"requests":[{"method":"GET","path":"/v1/mailbox","body":{}}]}`:                                "bad_request requests.0.body",
		`{"requests":[{"method":"GET","path":"/v1/mailbox","x":1}]}`:                                    "unknown_field requests.0.x",
		`{"requests":[{"method":"GET","path":"/v1/mailbox","headers":{"Authorization":"Bearer app"}}]}`: "unknown_field requests.0.headers.Authorization",
		`{"requests":[{"method":"GET","path":"/v1/mailbox","headers":{"Idempotency-Key":"k"}}]}`:        "unknown_field requests.0.headers.Idempotency-Key",
	} {
		h.want(400, problem, "POST", "/v1/batch", body, asAna, key("k"))
	}
	h.want(400, "bad_request Idempotency-Key", "POST", "/v1/batch", one("GET", "/v1/mailbox"), asAna)
	h.want(401, "unauthenticated", "POST", "/v1/batch", one("GET", "/v1/mailbox"), key("k"))
}

// TestBatchOrder: one after the other, all of them unless told to stop.
func TestBatchOrder(t *testing.T) {
	h := newHarness(t, nil)
	body := `{"requests":[{"method":"GET","path":"/v1/mailbox"},{"method":"GET","path":"/v1/nothing"},{"method":"GET","path":"/v1/folders"}]`
	if got := h.batch("a", body+`}`).statuses(); !slices.Equal(got, []int{200, 404, 200}) {
		t.Errorf("got %v", got)
	}
	r := h.batch("b", body+`,"stop_on_error":true}`)
	if got := r.statuses(); !slices.Equal(got, []int{200, 404, 424}) || r.Answers[2].Body["code"] != "not_run" {
		t.Errorf("got %+v", r)
	}
}

// TestBatchRepeat: under its key each request has its first answer; a batch that
// is cut off goes on where it was.
func TestBatchRepeat(t *testing.T) {
	h := newHarness(t, nil)
	post := func(text string) string {
		return `{"method":"POST","path":"/v1/threads/` + string(boat) + `/messages","body":{"text":"` + text + `"}}`
	}
	body := `{"requests":[` + post("one") + `,` + post("two") + `]}`
	var once sync.Once
	posts := 0
	h.hook = func(_ context.Context, method string) (err error) {
		if method == "Post" {
			if posts++; posts == 2 {
				once.Do(func() { err = parley.E(parley.Unavailable, "test", "") })
			}
		}
		return err
	}
	if got := h.batch("k", body).statuses(); !slices.Equal(got, []int{201, 503}) {
		t.Fatalf("got %v", got)
	}
	again := h.batch("k", body)
	if got := again.statuses(); !slices.Equal(got, []int{201, 201}) || again.Answers[0].Headers["Idempotent-Replayed"] != "true" || again.Answers[1].Headers["Idempotent-Replayed"] != "" {
		t.Errorf("got %+v", again)
	}
	if a, b := again.Answers[0].Body["id"], again.Answers[1].Body["id"]; a == b {
		t.Errorf("two posts are one: %v", a)
	}
	h.want(422, "key_mismatch", "POST", "/v1/batch", `{"requests":[`+post("three")+`]}`, asAna, key("k"))
}

// TestBatchAnswerBounded: what has no room is said to be done, and ends the batch.
func TestBatchAnswerBounded(t *testing.T) {
	h := newHarness(t, nil)
	m := &h.messages[h.find(hello)]
	m.Text = strings.Repeat("x", maxBatchAnswer-2000)
	get := `{"method":"GET","path":"/v1/messages/` + string(hello) + `"}`
	r := h.batch("k", `{"requests":[`+get+`,`+get+`,{"method":"GET","path":"/v1/mailbox"}]}`)
	if got := r.statuses(); !slices.Equal(got, []int{200, 413, 424}) || r.Answers[1].Body["code"] != "answer_too_large" {
		t.Errorf("got %v", got)
	}
}

// TestBatchLimits: a batch takes of the account's rate for each of its requests,
// and counts as one that runs.
func TestBatchLimits(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.AccountBurst, c.AccountInFlight = 3, 1 })
	r := h.batch("k", `{"requests":[`+strings.Repeat(`{"method":"GET","path":"/v1/mailbox"},`, 2)+`{"method":"GET","path":"/v1/mailbox"}]}`)
	if got := r.statuses(); !slices.Equal(got, []int{200, 200, http.StatusTooManyRequests}) || r.Answers[2].Headers["Retry-After"] == "" {
		t.Errorf("got %+v", r)
	}
}
