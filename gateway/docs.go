package gateway

import (
	"context"
	"net/http"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/gateway/reference"
)

// docsRoutes are the pages that people open: the document, and the root, which
// leads there. The root stands beside /v1 and is no part of the interface.
func (g *Gateway) docsRoutes() []edge.Route {
	return []edge.Route{
		edge.Open(edge.Route{Method: "GET", Path: "/docs", Name: "getDocs"}, shown(g.docs)),
		edge.Open(edge.Route{Method: "GET", Path: "/", Name: "front", Whole: true}, shown(g.front)),
	}
}

// shown answers with a page, under the policy that fits it.
func shown(page func() (reference.Page, error)) func(context.Context, *edge.Call) (*edge.Reply, error) {
	return func(_ context.Context, c *edge.Call) (*edge.Reply, error) {
		p, err := page()
		if err != nil {
			return nil, parley.Wrap(parley.Internal, "gateway.docs", err)
		}
		r := &edge.Reply{Status: http.StatusOK, Write: written(c, p.HTML)}
		r.Set("Content-Type", "text/html; charset=utf-8").Set("Content-Security-Policy", p.Policy)
		return r.Set("Cache-Control", "public, max-age=300"), nil
	}
}
