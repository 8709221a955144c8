package directory

import (
	"context"
	"crypto/subtle"
	"slices"

	"github.com/parley-im/parley"
)

// passwordScopes are what an account's own password allows.
var passwordScopes = []parley.Scope{parley.ScopeRead, parley.ScopeWrite, parley.ScopeSend, parley.ScopeManage}

func unauthenticated(op string) error {
	return parley.E(parley.Unauthenticated, op, "no credentials or wrong ones")
}

// Authenticate finds whom a bearer token speaks for.
func (d *Directory) Authenticate(ctx context.Context, text string) (parley.Identity, error) {
	const op = "directory.authenticate"
	b, ok := parseBearer(text)
	if !ok {
		return parley.Identity{}, unauthenticated(op)
	}
	r, err := d.held(ctx, b.account)
	if isCode(err, parley.NotFound) {
		return parley.Identity{}, unauthenticated(op)
	}
	if err != nil {
		return parley.Identity{}, parley.Wrap(parley.Unavailable, op, err)
	}
	if !d.accepts(r, b) {
		return parley.Identity{}, unauthenticated(op)
	}
	d.used(r, b.token)
	return parley.Identity{Account: r.id, Token: b.token, Scopes: r.token(b.token).Scopes}, nil
}

func (d *Directory) accepts(r *row, b bearer) bool {
	t := r.tokens[b.token]
	if t == nil || r.closed() || t.GetRevokedAt() != 0 {
		return false
	}
	expires := t.GetExpiresAt()
	alive := expires == 0 || d.now().UnixMicro() < expires
	return subtle.ConstantTimeCompare(b.digest(), t.GetSecretSha256()) == 1 && alive
}

// Password finds whom an address and a password speak for. An unknown address
// costs the same hash as a wrong password.
func (d *Directory) Password(ctx context.Context, address, password string) (parley.Identity, error) {
	const op = "directory.password"
	r, err := d.resolve(ctx, address)
	if err != nil && !isCode(err, parley.NoRecipient) {
		return parley.Identity{}, parley.Wrap(parley.Unavailable, op, err)
	}
	phc := ""
	if r != nil {
		phc = r.password
	}
	ok, err := d.hasher.verify(ctx, phc, password)
	if err != nil {
		return parley.Identity{}, parley.Wrap(parley.Unavailable, op, err)
	}
	if !ok {
		return parley.Identity{}, unauthenticated(op)
	}
	return parley.Identity{Account: r.id, Scopes: slices.Clone(passwordScopes)}, nil
}
