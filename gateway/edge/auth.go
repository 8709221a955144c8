package edge

import (
	"context"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// Authenticator knows tokens and accounts.
type Authenticator interface {
	// Authenticate fails with Unauthenticated when the bearer is unknown,
	// expired or revoked, or its account closed.
	Authenticate(ctx context.Context, bearer string) (parley.Identity, error)
	Get(ctx context.Context, id parley.AccountID) (parley.Account, error)
}

// Auth lets in who has a token with a scope that the route asks for. It is the
// only maker of Authenticated requests.
func Auth(users Authenticator) service.Filter[*Call, *Reply, Authenticated[*Call], *Reply] {
	return func(ctx context.Context, c *Call, next service.Service[Authenticated[*Call], *Reply]) (*Reply, error) {
		secret, err := bearer(c)
		if err != nil {
			return nil, err
		}
		who, err := users.Authenticate(ctx, secret)
		if err != nil {
			return nil, err
		}
		if who, err = actFor(ctx, users, c, who); err != nil {
			return nil, err
		}
		c.Account = who.Account
		if !MayOne(who, c.Route.Scopes) {
			return nil, parley.E(parley.NotPermitted, "gateway.auth", "This needs the scope "+scopeNames(c.Route.Scopes)+".")
		}
		still := func(ctx context.Context) error {
			_, err := users.Authenticate(ctx, secret)
			return err
		}
		return next(ctx, Authenticated[*Call]{Identity: who, Req: c, Still: still})
	}
}

// maxBearer is longer than any token of ours.
const maxBearer = 512

// bearer reads RFC 6750 2.1. A token in a URL would end up in logs.
func bearer(c *Call) (string, error) {
	values := c.HTTP.Header.Values("Authorization")
	if len(values) == 0 {
		return "", parley.E(parley.Unauthenticated, "gateway.auth", "A bearer token is needed.")
	}
	scheme, secret, _ := strings.Cut(values[0], " ")
	secret = strings.TrimSpace(secret)
	if len(values) > 1 || !strings.EqualFold(scheme, "bearer") || secret == "" || len(secret) > maxBearer {
		return "", parley.E(parley.Unauthenticated, "gateway.auth", "A bearer token is needed.")
	}
	return secret, nil
}

// actFor changes the account to that of Parley-Account, for application tokens.
func actFor(ctx context.Context, users Authenticator, c *Call, who parley.Identity) (parley.Identity, error) {
	const field = "Parley-Account"
	values := c.HTTP.Header.Values(field)
	if len(values) == 0 || len(values) == 1 && parley.AccountID(values[0]) == who.Account {
		return who, nil
	}
	if !who.May(parley.ScopeAdmin) {
		return who, &parley.Error{Code: parley.NotPermitted, Op: "gateway.auth", Public: "Acting for another account needs the scope admin.", Field: field}
	}
	unknown := &parley.Error{Code: parley.NotFound, Op: "gateway.auth", Public: "There is no such account.", Field: field}
	if len(values) > 1 || !parley.AccountID(values[0]).Valid() {
		return who, unknown
	}
	a, err := users.Get(ctx, parley.AccountID(values[0]))
	switch {
	case err != nil && parley.CodeOf(err) != parley.NotFound:
		return who, err
	case err != nil || a.Closed:
		return who, unknown
	}
	who.Account = a.ID
	return who, nil
}

func scopeNames(scopes []parley.Scope) string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return strings.Join(names, " or ")
}
