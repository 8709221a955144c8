package gateway

import (
	"context"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) tokenRoutes() []edge.Route {
	manage := scopes{parley.ScopeManage}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/tokens", Name: "listTokens", Scopes: manage}, g.listTokens),
		edge.Bodied(edge.Route{Method: "POST", Path: "/tokens", Name: "createToken", Scopes: manage, Key: edge.MustKey}, g.createToken),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/tokens/{token}", Name: "deleteToken", Scopes: manage}, g.deleteToken),
	}
}

type token struct {
	ID        parley.TokenID `json:"id"`
	Name      string         `json:"name"`
	Scopes    []parley.Scope `json:"scopes"`
	CreatedAt time.Time      `json:"created_at"`
	ExpiresAt time.Time      `json:"expires_at,omitzero"`
	LastUsed  time.Time      `json:"last_used,omitzero"`
	Secret    string         `json:"secret,omitempty"` // when made
}

func tokenShape(t parley.Token) token {
	return token{ID: t.ID, Name: t.Name, Scopes: each(t.Scopes, same), CreatedAt: t.CreatedAt.UTC(), ExpiresAt: t.ExpiresAt.UTC(), LastUsed: t.LastUsed.UTC()}
}

// newToken asks for a token.
type newToken struct {
	Name      string         `json:"name"`
	Scopes    []parley.Scope `json:"scopes"`
	ExpiresAt string         `json:"expires_at"`

	expires time.Time
}

// Sanitize reads the time and holds the scopes to those that there are.
func (b *newToken) Sanitize(t *edge.Texts) {
	t.Line("name", &b.Name, maxName)
	if len(b.Scopes) == 0 {
		t.Fail(edge.Bad("scopes", "A token has a scope."))
	}
	for i, s := range b.Scopes { // those before the first fault are few
		if !s.Valid() || slices.Contains(b.Scopes[:i], s) {
			t.Fail(edge.Bad(place("scopes", i), "There is no such scope, or it is there twice."))
			break
		}
	}
	if b.ExpiresAt == "" {
		return
	}
	var err error
	if b.expires, err = time.Parse(time.RFC3339, b.ExpiresAt); err != nil {
		t.Fail(edge.Bad("expires_at", "A time is written as in RFC 3339."))
	}
}

func (g *Gateway) listTokens(ctx context.Context, a user) (*edge.Reply, error) {
	tokens, err := g.Accounts.Tokens(ctx, a.Account)
	if err != nil {
		return nil, err
	}
	return whole(tokens, 0, tokenShape), nil
}

func (g *Gateway) createToken(ctx context.Context, a with[newToken]) (*edge.Reply, error) {
	b := a.Req.Body
	for _, s := range b.Scopes {
		if !a.May(s) { // or a token could make a stronger one
			return nil, &parley.Error{Code: parley.NotPermitted, Op: "gateway.tokens", Public: "A token gives only scopes that it has.", Field: "scopes"}
		}
	}
	if !b.expires.IsZero() && !b.expires.After(g.Now()) {
		return nil, edge.Bad("expires_at", "That time is over.")
	}
	tok, secret, replayed, err := g.Accounts.CreateToken(ctx, a.Req.Command, a.Account, parley.Token{Name: b.Name, Scopes: b.Scopes, ExpiresAt: b.expires})
	if err != nil {
		return nil, err
	}
	shape := tokenShape(tok)
	shape.Secret = secret
	return edge.Created("", shape).Repeat(replayed), nil
}

func (g *Gateway) deleteToken(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.TokenID](a.Req, "token")
	if err != nil {
		return nil, err
	}
	if err := g.Accounts.DeleteToken(ctx, a.Account, id); err != nil {
		return nil, err
	}
	g.streams.revoke(a.Account, id)
	return edge.NoContent(), nil
}
