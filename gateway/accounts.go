package gateway

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) accountRoutes() []edge.Route {
	admin, read, manage := scopes{parley.ScopeAdmin}, scopes{parley.ScopeRead}, scopes{parley.ScopeManage}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/accounts", Name: "listAccounts", Scopes: admin, Query: paging}, g.listAccounts),
		edge.Bodied(edge.Route{Method: "POST", Path: "/accounts", Name: "createAccount", Scopes: admin, Key: edge.MustKey}, g.createAccount),
		edge.Plain(edge.Route{Method: "GET", Path: "/accounts/{account}", Name: "getAccount", Scopes: read}, g.getAccount),
		edge.Bodied(edge.Route{Method: "PATCH", Path: "/accounts/{account}", Name: "updateAccount", Scopes: manage, IfMatch: true}, g.updateAccount),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/accounts/{account}", Name: "closeAccount", Scopes: manage, IfMatch: true}, g.closeAccount),
		edge.Bodied(edge.Route{Method: "PUT", Path: "/accounts/external/{external}", Name: "putExternalAccount", Scopes: admin}, g.putExternalAccount),
	}
}

func (g *Gateway) listAccounts(ctx context.Context, a user) (*edge.Reply, error) {
	p, err := a.Req.Page()
	if err != nil {
		return nil, err
	}
	l, err := g.Accounts.List(ctx, p)
	if err != nil {
		return nil, err
	}
	return listing(l, accountShape), nil
}

func (g *Gateway) createAccount(ctx context.Context, a with[newAccount]) (*edge.Reply, error) {
	b := a.Req.Body
	acc, replayed, err := g.Accounts.Create(ctx, a.Req.Command, b.account(), b.Password)
	if err != nil {
		return nil, err
	}
	return edge.Created(prefix+"/accounts/"+string(acc.ID), accountShape(acc)).Tag(acc.Version).Repeat(replayed), nil
}

func (g *Gateway) getAccount(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := namedAccount(a.Req, a.Identity)
	if err != nil {
		return nil, err
	}
	acc, err := g.Accounts.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return edge.OK(accountShape(acc)).Tag(acc.Version), nil
}

func (g *Gateway) updateAccount(ctx context.Context, a with[accountChange]) (*edge.Reply, error) {
	id, err := namedAccount(a.Req.Call, a.Identity)
	if err != nil {
		return nil, err
	}
	change := a.Req.Body
	if field := change.adminField(); field != "" && !a.May(parley.ScopeAdmin) {
		return nil, &parley.Error{Code: parley.NotPermitted, Op: "gateway.accounts", Public: "This field needs the scope admin.", Field: field}
	}
	acc, err := g.Accounts.Update(ctx, id, a.Req.IfMatch, change.apply)
	if err != nil {
		return nil, err
	}
	return edge.OK(accountShape(acc)).Tag(acc.Version), nil
}

func (g *Gateway) closeAccount(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := namedAccount(a.Req, a.Identity)
	if err != nil {
		return nil, err
	}
	if err := g.Accounts.Close(ctx, id, a.Req.IfMatch); err != nil {
		return nil, err
	}
	g.streams.revoke(id, "")
	return edge.NoContent(), nil
}

func (g *Gateway) putExternalAccount(ctx context.Context, a with[externalAccount]) (*edge.Reply, error) {
	external := a.Req.Param("external")
	if len(external) > maxExternal {
		return nil, edge.Bad("", "An external id has at most 255 bytes.")
	}
	acc, created, err := g.Accounts.PutExternal(ctx, external, a.Req.Body.account(external))
	if err != nil {
		return nil, err
	}
	if created {
		return edge.Created(prefix+"/accounts/"+string(acc.ID), accountShape(acc)).Tag(acc.Version), nil
	}
	return edge.OK(accountShape(acc)).Tag(acc.Version), nil
}

// namedAccount is the account in the path: me, one's own, or with the scope
// admin any. Without it nothing is looked up, so that nothing is told.
func namedAccount(c *edge.Call, who parley.Identity) (parley.AccountID, error) {
	if c.Param("account") == "me" {
		return who.Account, nil
	}
	id, err := edge.ID[parley.AccountID](c, "account")
	if err != nil {
		return "", err
	}
	if id != who.Account && !who.May(parley.ScopeAdmin) {
		return "", parley.E(parley.NotPermitted, "gateway.accounts", "Another account needs the scope admin.")
	}
	return id, nil
}
