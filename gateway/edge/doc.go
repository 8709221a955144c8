// Package edge is the HTTP side of the server chain: what a request becomes on
// its way in (Call, then Authenticated), what an answer is on its way out
// (Reply, or an error), and one filter a file between them. package gateway
// states the order of the filters and knows what the routes mean.
//
// It promises that every answer carries its request id and the security
// headers, that every failure leaves as one problem+json (RFC 9457) which shows
// a stranger no cause, that a request ends at its deadline or when the client
// hangs up, and that nothing it keeps grows with what clients choose.
package edge

import (
	"context"

	"github.com/parley-im/parley/gateway/strict"
	"github.com/parley-im/parley/service"
)

// Filter is a filter that changes no type.
type Filter = service.SimpleFilter[*Call, *Reply]

// UserFilter is one behind Auth.
type UserFilter = service.SimpleFilter[Authenticated[*Call], *Reply]

// Stack puts filters in front of a service, the first outermost. It composes
// once, where service.Chain composes anew for each request.
func Stack[Req any](s service.Service[Req, *Reply], filters ...service.SimpleFilter[Req, *Reply]) service.Service[Req, *Reply] {
	for i := len(filters) - 1; i >= 0; i-- {
		s = filters[i].AndThen(s)
	}
	return s
}

// Open makes a route that anybody may ask for.
func Open(r Route, s service.Service[*Call, *Reply]) Route {
	r.open = s
	return r
}

// Plain makes a route for users whose requests have no JSON body.
func Plain(r Route, s service.Service[Authenticated[*Call], *Reply]) Route {
	r.serve = s
	return r
}

// Bodied makes a route for users whose requests have a JSON body of the shape B.
func Bodied[B any](r Route, s service.Service[Authenticated[With[B]], *Reply]) Route {
	decoder := strict.For[B]()
	r.decode = func(data []byte) (any, error) { return decoder.Decode(data) }
	r.serve = func(ctx context.Context, a Authenticated[*Call]) (*Reply, error) {
		typed := With[B]{Call: a.Req, Body: a.Req.body.(*B)} // Parse put it there
		return s(ctx, Authenticated[With[B]]{Identity: a.Identity, Req: typed, Still: a.Still})
	}
	return r
}
