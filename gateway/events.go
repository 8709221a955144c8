package gateway

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) eventRoutes() []edge.Route {
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/events", Name: "streamEvents", Scopes: scopes{parley.ScopeRead}, Query: []string{"since"}, Timing: edge.Endless}, g.streamEvents),
	}
}

// position is the last event that a follower knows.
type position struct {
	revision parley.Revision
	index    int
}

// endOfRevision is past any index: all events of the revision are known.
const endOfRevision = math.MaxInt32

// streamEvents settles everything that can be refused before the stream begins.
func (g *Gateway) streamEvents(ctx context.Context, a user) (*edge.Reply, error) {
	ctx, cancel := context.WithCancel(ctx)
	a.Req.OnDone(func(edge.Done) { cancel() })
	closed, err := g.streams.open(a.Identity, cancel)
	if err != nil {
		return nil, err
	}
	a.Req.OnDone(func(edge.Done) { closed() })
	f := &follower{Gateway: g, user: a}
	first, err := f.begin(ctx)
	if err != nil {
		return nil, err
	}
	r := &edge.Reply{Status: http.StatusOK, Revision: f.at.revision, Write: func(w http.ResponseWriter) error { return f.run(ctx, w, first) }}
	// Proxies that gather an answer before they pass it on are told not to.
	return r.Set("Content-Type", "text/event-stream").Set("X-Accel-Buffering", "no"), nil
}

// begin finds where to begin, and what has come since.
func (f *follower) begin(ctx context.Context) ([]parley.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	at, given, err := known(f.user.Req)
	if err != nil {
		return nil, err
	}
	if !given {
		s, err := f.Mailboxes.Stats(ctx, f.user.Account, 0)
		f.at = position{s.Revision, endOfRevision}
		return nil, err
	}
	f.at = at
	events, head, err := f.Mailboxes.Events(ctx, f.user.Account, at.revision, at.index, 0, batch)
	if err == nil && head > 0 && at.revision > head {
		// The follower knows what this server has never done.
		return nil, parley.E(parley.Resync, "gateway.events", "")
	}
	return events, err
}

// known reads Last-Event-ID, which a reconnecting EventSource sends, or since.
func known(c *edge.Call) (at position, given bool, err error) {
	field, value := "Last-Event-ID", c.HTTP.Header.Get("Last-Event-ID")
	if value == "" {
		field, value = "since", c.Query.Get("since")
		if !c.Query.Has("since") {
			return position{}, false, nil
		}
	}
	revision, index, both := strings.Cut(value, ".")
	n, err := strconv.ParseUint(revision, 10, 63)
	at = position{parley.Revision(n), endOfRevision}
	if err == nil && both {
		var i uint64
		i, err = strconv.ParseUint(index, 10, 31)
		at.index = int(i)
	}
	if err != nil {
		return at, true, edge.Bad(field, "A revision, or the id of an event: revision.index.")
	}
	return at, true, nil
}
