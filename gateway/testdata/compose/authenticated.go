// Package compose holds two chains: this one compiles.
package compose

import (
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/service"
)

func authenticated(parse edge.Filter, auth service.Filter[*edge.Call, *edge.Reply, edge.Authenticated[*edge.Call], *edge.Reply], route service.Service[edge.Authenticated[*edge.Call], *edge.Reply]) service.Service[*edge.Call, *edge.Reply] {
	return parse.AndThen(auth.AndThen(route))
}
