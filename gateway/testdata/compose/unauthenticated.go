// Package compose holds two chains: this one does not compile, since nothing in
// it makes an Authenticated request.
package compose

import (
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/service"
)

func unauthenticated(parse edge.Filter, route service.Service[edge.Authenticated[*edge.Call], *edge.Reply]) service.Service[*edge.Call, *edge.Reply] {
	return parse.AndThen(route)
}
