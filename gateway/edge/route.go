package edge

import (
	"context"
	"net/http"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// Timing is how long a request may take.
type Timing int

// The timings.
const (
	Quick    Timing = iota // an answer that is at hand
	Transfer               // bytes that a slow line carries
	Endless                // a stream that lasts while both sides want it
)

// KeyRule says whether a route takes an Idempotency-Key.
type KeyRule int

// The rules.
const (
	NoKey KeyRule = iota
	MayKey
	MustKey
)

// Route is one operation of openapi.json. Open, Plain and Bodied give it a service.
type Route struct {
	Method  string
	Path    string         // below the prefix, with {names}
	Whole   bool           // Path is all of it: it stands beside the prefix
	Name    string         // operationId, and label of metrics and logs
	Scopes  []parley.Scope // one of them is needed
	Query   []string       // parameters that are taken
	Key     KeyRule
	IfMatch bool // takes If-Match
	Timing  Timing
	Stream  bool // the body is bytes and left to the service

	names  []string // of Path
	decode func([]byte) (any, error)
	open   service.Service[*Call, *Reply]
	serve  service.Service[Authenticated[*Call], *Reply]
}

// HasBody reports whether the route takes a JSON body.
func (r *Route) HasBody() bool { return r.decode != nil }

// Dispatch is the innermost service: the route's own.
func Dispatch(ctx context.Context, a Authenticated[*Call]) (*Reply, error) {
	return a.Req.Route.serve(ctx, a)
}

// unknown labels what no route is for.
const unknown = "unknown"

// unknownPath and unknownMethod answer what no route is for. They are open, so
// that a stranger with a wrong URL learns that and not that a token is missing.
func unknownPath() *Route {
	return &Route{Name: unknown, open: func(context.Context, *Call) (*Reply, error) {
		return nil, parley.E(parley.NotFound, "gateway.route", "There is no such path.")
	}}
}

func unknownMethod() *Route {
	return &Route{Name: unknown, open: func(_ context.Context, c *Call) (*Reply, error) {
		return nil, parley.E(parley.MethodNotAllowed, "gateway.route", "Allowed: "+c.allow+".")
	}}
}

// methods are those that a metric may name.
var methods = map[string]bool{http.MethodGet: true, http.MethodHead: true, http.MethodPost: true, http.MethodPut: true, http.MethodPatch: true, http.MethodDelete: true}

func methodLabel(m string) string {
	if methods[m] {
		return m
	}
	return "other"
}
