package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

const (
	batchRoute     = "runBatch"
	maxBatch       = 50      // requests
	maxBatchAnswer = 8 << 20 // bytes of all bodies
)

func (g *Gateway) batchRoutes() []edge.Route {
	return []edge.Route{
		edge.Bodied(edge.Route{Method: "POST", Path: "/batch", Name: batchRoute, Scopes: parley.Scopes[:], Key: edge.MustKey}, g.runBatch),
	}
}

// batched asks for several things one after the other.
type batched struct {
	Requests    []batchRequest `json:"requests"`
	StopOnError bool           `json:"stop_on_error"`
}

type batchRequest struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// Sanitize holds the requests to what can be sent at all. What each of them asks
// for is judged when its turn comes.
func (b *batched) Sanitize(t *edge.Texts) {
	if len(b.Requests) == 0 || len(b.Requests) > maxBatch {
		t.Fail(edge.Bad("requests", fmt.Sprintf("1 to %d requests.", maxBatch)))
		return
	}
	for i := range b.Requests {
		b.Requests[i].sanitize(t, fmt.Sprintf("requests.%d.", i))
	}
}

func (r *batchRequest) sanitize(t *edge.Texts, field string) {
	switch r.Method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		t.Fail(edge.Bad(field+"method", "GET, POST, PUT, PATCH or DELETE."))
	}
	if u, err := url.ParseRequestURI(r.Path); err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(r.Path, prefix+"/") {
		t.Fail(edge.Bad(field+"path", "A path that begins with "+prefix+"/, with its query."))
	}
	if r.Method == http.MethodGet && len(r.Body) > 0 {
		t.Fail(edge.Bad(field+"body", "GET has no body."))
	}
	for name, value := range r.Headers {
		// The rest is said once, by the batch itself.
		if !strings.EqualFold(name, "If-Match") {
			t.Fail(&parley.Error{Code: parley.UnknownField, Op: "gateway.batch", Public: "Only If-Match is taken here.", Field: field + "headers." + name})
		}
		t.Line(field+"headers."+name, &value, 256)
	}
}

// batchAnswer is what one request came to.
type batchAnswer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body,omitempty"`
}

// runBatch carries the requests out in order, each through the filters of a
// request of its own: it has its own scope, limits and key.
func (g *Gateway) runBatch(ctx context.Context, a with[batched]) (*edge.Reply, error) {
	answers := make([]batchAnswer, 0, len(a.Req.Body.Requests))
	left, stopped := maxBatchAnswer, false
	for i, r := range a.Req.Body.Requests {
		if stopped = stopped || ctx.Err() != nil; stopped {
			answers = append(answers, failed(edge.NotRun(a.Req.ID)))
			continue
		}
		got := g.inner.Take(inner(ctx, a.Req.Call, i, r), left)
		left -= len(got.Body)
		answer := answerOf(got)
		if got.Over {
			answer = failed(edge.TooMuch(got.Header.Get("Parley-Request-Id")))
		}
		answers = append(answers, answer)
		stopped = got.Over || answer.Status >= 400 && a.Req.Body.StopOnError
	}
	return edge.OK(struct {
		Answers []batchAnswer `json:"answers"`
	}{answers}), nil
}

// told are the headers of an answer that say something of it.
var told = []string{"Parley-Request-Id", "Parley-Revision", "Parley-Command", "Idempotent-Replayed", "ETag", "Location", "Retry-After", "Allow"}

func answerOf(t edge.Taken) batchAnswer {
	a := batchAnswer{Status: t.Status, Headers: map[string]string{}}
	for _, name := range told {
		if v := t.Header.Get(name); v != "" {
			a.Headers[name] = v
		}
	}
	if len(t.Body) > 0 {
		a.Body = json.RawMessage(t.Body)
	}
	return a
}

func failed(p edge.Problem) batchAnswer {
	return batchAnswer{Status: p.Status, Headers: map[string]string{}, Body: p}
}

// shared are headers of the batch that each of its requests has as well.
var shared = []string{"Authorization", "Parley-Account", "Traceparent", "Tracestate", "X-Forwarded-For"}

// inner is the i-th request, as if it had come alone.
func inner(ctx context.Context, batch *edge.Call, i int, r batchRequest) *http.Request {
	u, _ := url.ParseRequestURI(r.Path) // Sanitize has read it
	out := (&http.Request{Method: r.Method, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
		Host: batch.HTTP.Host, RemoteAddr: batch.HTTP.RemoteAddr, Body: http.NoBody}).WithContext(ctx)
	for _, name := range shared {
		if values := batch.HTTP.Header.Values(name); len(values) > 0 {
			out.Header[name] = values
		}
	}
	for _, value := range r.Headers {
		out.Header.Set("If-Match", value)
	}
	if r.Method != http.MethodGet {
		out.Header.Set("Idempotency-Key", innerKey(batch.Key, i))
	}
	if len(r.Body) > 0 {
		out.Header.Set("Content-Type", "application/json")
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(r.Body)), int64(len(r.Body))
	}
	return out
}

// innerKey names a request by its batch's key and its place, so that a repeat of
// the batch repeats each. It is longer than keys are chosen.
func innerKey(key string, i int) string {
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("batch:%s:%d", hex.EncodeToString(sum[:]), i)
}
