package gateway

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) undoRoutes() []edge.Route {
	return []edge.Route{
		edge.Bodied(edge.Route{Method: "POST", Path: "/undo", Name: "undo", Scopes: scopes{parley.ScopeWrite}, Key: edge.MustKey}, g.undo),
	}
}

// undo names the revision that a change of one's own was answered with.
type undo struct {
	Revision parley.Revision `json:"revision"`
}

// Sanitize wants a revision.
func (b *undo) Sanitize(t *edge.Texts) {
	if b.Revision == 0 {
		t.Fail(edge.Bad("revision", "The Parley-Revision of the change to undo."))
	}
}

type undone struct {
	Undone   int64           `json:"undone"`
	Skipped  int64           `json:"skipped"`
	Revision parley.Revision `json:"revision"`
}

func (g *Gateway) undo(ctx context.Context, a with[undo]) (*edge.Reply, error) {
	u, replayed, err := g.Mailboxes.Undo(ctx, a.Account, a.Req.Command, a.Req.Body.Revision)
	if err != nil {
		return nil, err
	}
	return edge.OK(undone{u.Undone, u.Skipped, u.Revision}).At(u.Revision).Repeat(replayed), nil
}
