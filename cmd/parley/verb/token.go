package verb

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
)

// Token makes a bearer token.
type Token struct {
	Location
	Address string         `arg:"" placeholder:"NAME@DOMAIN" help:"Address of the account that it speaks for."`
	Scopes  []parley.Scope `required:"" help:"What it may do: read, write, send, manage (the account itself), admin (all accounts)."`
	Expires time.Duration  `placeholder:"24h" help:"How long it is good for; for ever unless said."`
	Label   string         `name:"name" help:"What it is for, shown in lists of tokens."`
}

// Name is "token".
func (*Token) Name() string { return "token" }

// Prepare checks the scopes and the time.
func (v *Token) Prepare(io.Reader) ([]byte, error) {
	for _, s := range v.Scopes {
		if !s.Valid() {
			return nil, usagef("--scopes: %q is none of read, write, send, manage, admin", s)
		}
	}
	if v.Expires < 0 {
		return nil, usagef("--expires: %v is in the past", v.Expires)
	}
	return nil, nil
}

// Run prints the token alone.
func (v *Token) Run(ctx context.Context, s *system.System, std IO) error {
	id, err := account(ctx, s, v.Address)
	if err != nil {
		return err
	}
	t := parley.Token{Name: strings.TrimSpace(v.Label), Scopes: v.Scopes}
	if v.Expires > 0 {
		t.ExpiresAt = s.Now().Add(v.Expires)
	}
	_, secret, _, err := s.Accounts.CreateToken(ctx, parley.Command{}, id, t)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.Out, secret)
	return err
}
