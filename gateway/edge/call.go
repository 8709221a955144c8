package edge

import (
	"net/http"
	"net/url"
	"time"

	"github.com/parley-im/parley"
)

// Call is one request on its way in. Each filter adds what it learned.
type Call struct {
	HTTP    *http.Request
	Route   *Route // never nil; unknown paths have a route of their own
	ID      string // Parley-Request-Id
	Start   time.Time
	Query   url.Values       // Parse: only parameters that the route takes, once each
	Key     string           // Parse: Idempotency-Key
	IfMatch uint64           // Parse: 0 is any
	Command parley.Command   // Keys; zero without a key
	Account parley.AccountID // Auth: whom it acts for
	Control *http.ResponseController

	inner  bool     // within another that runs
	params []string // values of the route's {names}, in order
	allow  string   // of a path that has other methods
	body   any      // Parse: what the route's decoder made
	sent   *bounded // Parse: the body as it comes in; nil: not looked at
	digest parley.Digest
	traced Trace
	done   []func(Done)
}

// With is a call with its JSON body.
type With[B any] struct {
	*Call
	Body *B
}

// Done is how a request ended, once its answer was written.
type Done struct {
	Status int
	Code   string // of the problem, if it was one
	Bytes  int64
	Took   time.Duration
	HungUp bool  // the client went away before it had an answer
	Err    error // for the log
}

// OnDone registers what is to happen once the answer was written, streams
// included; the last registered runs first.
func (c *Call) OnDone(f func(Done)) { c.done = append(c.done, f) }

// Param is a part of the path.
func (c *Call) Param(name string) string {
	for i, n := range c.Route.names {
		if n == name && i < len(c.params) {
			return c.params[i]
		}
	}
	return ""
}

func (c *Call) finish(d Done) {
	for i := len(c.done) - 1; i >= 0; i-- {
		c.done[i](d)
	}
}

// safe reports whether the method promises to change nothing (RFC 9110 9.2.1).
func (c *Call) safe() bool {
	return c.HTTP.Method == http.MethodGet || c.HTTP.Method == http.MethodHead
}
