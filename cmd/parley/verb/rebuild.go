package verb

import (
	"context"
	"fmt"
	"io"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
)

// Rebuild makes the projection of mailboxes anew from their logs.
type Rebuild struct {
	Location
	Account string `xor:"whom" placeholder:"NAME@DOMAIN" help:"Rebuild the mailbox of this account."`
	All     bool   `xor:"whom" help:"Rebuild every mailbox."`
}

// Name is "rebuild".
func (*Rebuild) Name() string { return "rebuild" }

// Prepare wants one of the two.
func (v *Rebuild) Prepare(io.Reader) ([]byte, error) {
	if v.Account == "" && !v.All {
		return nil, usagef("say --account NAME@DOMAIN or --all")
	}
	return nil, nil
}

// Run rebuilds one mailbox after the other.
func (v *Rebuild) Run(ctx context.Context, s *system.System, std IO) error {
	if v.All {
		return eachAccount(ctx, s, func(a parley.Account) error {
			name := string(a.ID)
			if len(a.Addresses) > 0 {
				name = a.Addresses[0]
			}
			err := rebuild(ctx, s, std, name, a.ID)
			if parley.CodeOf(err) == parley.NotFound {
				return nil // never had mail
			}
			return err
		})
	}
	id, err := account(ctx, s, v.Account)
	if err != nil {
		return err
	}
	return rebuild(ctx, s, std, v.Account, id)
}

func rebuild(ctx context.Context, s *system.System, std IO, name string, id parley.AccountID) error {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	defer line.End()
	r, err := s.Node.Rebuild(ctx, id, func(done, total int64) { line.Sayf("rebuild: %s, %d of %d", name, done, total) })
	if err != nil {
		return fmt.Errorf("rebuild %s: %w", name, err)
	}
	line.End()
	verdict := "as it was"
	if r.Changed {
		verdict = "which corrected it"
	}
	_, err = fmt.Fprintf(std.Out, "%s: %d actions gave %d pages, %s\n", name, r.Actions, r.Pages, verdict)
	return err
}
