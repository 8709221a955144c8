package gateway

import (
	"context"
	_ "embed" // openapi.json
	"net/http"
	"strconv"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

//go:embed openapi.json
var openAPI []byte

// routes is what is served; openapi.json lists the same, and a test compares.
func (g *Gateway) routes() []edge.Route {
	var all []edge.Route
	for _, some := range [][]edge.Route{
		g.accountRoutes(), g.tokenRoutes(), g.mailboxRoutes(), g.threadRoutes(), g.draftRoutes(), g.undoRoutes(), g.roomRoutes(),
		g.messageRoutes(), g.participantRoutes(), g.blobRoutes(), g.eventRoutes(), g.docsRoutes(), g.batchRoutes(),
		g.folderRoutes(), g.jobRoutes(), g.transferRoutes(), g.splitRoutes(), g.makeRoomRoutes(), g.syncRoutes(),
	} {
		all = append(all, some...)
	}
	return append(all,
		edge.Open(edge.Route{Method: "GET", Path: "/openapi.json", Name: "getOpenAPI"}, g.getOpenAPI),
		edge.Open(edge.Route{Method: "GET", Path: "/status", Name: edge.StatusRoute}, noStatus),
	)
}

func (g *Gateway) getOpenAPI(_ context.Context, c *edge.Call) (*edge.Reply, error) {
	return &edge.Reply{Status: http.StatusOK, Write: func(w http.ResponseWriter) error {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(g.document)))
		w.WriteHeader(http.StatusOK)
		if c.HTTP.Method == http.MethodHead {
			return nil
		}
		_, err := w.Write(g.document)
		return err
	}}, nil
}

// noStatus is never reached: the health filter answers before.
func noStatus(context.Context, *edge.Call) (*edge.Reply, error) {
	return nil, parley.E(parley.Internal, "gateway.status", "")
}
