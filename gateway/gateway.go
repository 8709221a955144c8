package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/gateway/reference"
	"github.com/parley-im/parley/mail/safehtml"
)

// prefix is the version of the interface.
const prefix = "/v1"

// Gateway serves /v1.
type Gateway struct {
	Config
	server   *edge.Server
	inner    *edge.Server // of the requests in a batch
	metrics  metrics
	streams  *streams
	hurry    edge.Hurry // for the bodies that are read
	document []byte     // openapi.json without its white space
	html     *safehtml.Policy

	docs, front func() (reference.Page, error) // made when they are first asked for
}

// New makes a gateway. It starts nothing: Drain only ends streams and waits.
func New(c Config) (*Gateway, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	g := &Gateway{Config: c.withDefaults(), html: safehtml.New()}
	var document bytes.Buffer
	if err := json.Compact(&document, openAPI); err != nil {
		return nil, fmt.Errorf("gateway: openapi.json: %w", err)
	}
	g.document = document.Bytes()
	g.docs = sync.OnceValues(func() (reference.Page, error) { return reference.Render(openAPI) })
	g.front = sync.OnceValues(func() (reference.Page, error) { return reference.Front(prefix) })
	router, err := edge.NewRouter(prefix, g.routes()...)
	if err != nil {
		return nil, err
	}
	if g.metrics, err = newMetrics(g.Metrics); err != nil {
		return nil, err
	}
	g.streams = newStreams(g.MaxStreams, g.MaxAccountStreams, g.metrics.streams)
	outer, inner := g.chain()
	g.server = &edge.Server{Router: router, Chain: outer, Log: g.Log, Now: g.Now, WriteTimeout: g.WriteTimeout}
	g.inner = &edge.Server{Router: router, Chain: inner, Inner: true, Log: g.Log, Now: g.Now, WriteTimeout: g.WriteTimeout}
	return g, nil
}

// ServeHTTP answers one request.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.server.ServeHTTP(w, r) }

// Drain ends the event streams, takes no new ones, gives up senders that stand still
// in a body, and lets /v1/status say so. Give it to http.Server.RegisterOnShutdown:
// Shutdown waits for all of them.
func (g *Gateway) Drain() {
	g.streams.drain()
	g.hurry.Begin()
}
