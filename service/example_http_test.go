package service_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// httpService is both: what a server serves, and what a client is.
type httpService = service.Service[*http.Request, *http.Response]

// newService is a client of the server at base.
func newService(client *http.Client, base string) httpService {
	return func(ctx context.Context, r *http.Request) (*http.Response, error) {
		out, err := http.NewRequestWithContext(ctx, r.Method, base+r.URL.RequestURI(), r.Body)
		if err != nil {
			return nil, parley.Wrap(parley.BadRequest, "http", err)
		}
		reply, err := client.Do(out)
		return reply, parley.Wrap(parley.Unavailable, "http", err)
	}
}

// serveHTTP runs a service as a server of the test.
func serveHTTP(t *testing.T, s httpService) (base string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := s(r.Context(), r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer reply.Body.Close()
		w.WriteHeader(reply.StatusCode)
		_, _ = io.Copy(w, reply.Body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func text(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body))}
}

// Section 3 of the paper: a proxy is a client that is served. What its client
// hangs up on ends at the origin, through both.
func TestProxyIsAServedClient(t *testing.T) {
	began, ended := make(chan struct{}), make(chan error, 1)
	origin := serveHTTP(t, func(ctx context.Context, r *http.Request) (*http.Response, error) {
		if r.URL.Path == "/endless" {
			close(began)
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
		return text(http.StatusTeapot, "you asked for "+r.URL.RequestURI()), nil
	})
	timeout := service.Timeout[*http.Request, *http.Response]("proxy", time.Minute)
	proxy := serveHTTP(t, timeout.AndThen(newService(http.DefaultClient, origin)))
	client := newService(http.DefaultClient, proxy)

	reply, err := client(t.Context(), httptest.NewRequest("GET", "/a?b=c", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if got := fmt.Sprint(reply.StatusCode, " ", string(body), " ", err); got != "418 you asked for /a?b=c <nil>" {
		t.Errorf("got %s", got)
	}

	endless := client.Go(t.Context(), httptest.NewRequest("GET", "/endless", nil))
	<-began
	endless.Raise(nil)
	if _, err := endless.Await(t.Context()); parley.CodeOf(err) != parley.Unavailable {
		t.Errorf("got %v, want an Unavailable", err)
	}
	if err := <-ended; err != context.Canceled {
		t.Errorf("the origin's context ended with %v", err)
	}
}
