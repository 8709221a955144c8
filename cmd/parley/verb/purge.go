package verb

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/cmd/parley/system"
)

// Purge finishes what the purges of an account left to do beside.
type Purge struct {
	Location
	Account string `arg:"" placeholder:"NAME@DOMAIN" help:"Account that deleted messages for good."`
	JSON    bool   `name:"json" help:"Print JSON."`
}

// Name is "purge".
func (*Purge) Name() string { return "purge" }

// Run says what was done, and whether the store's files are free of it.
func (v *Purge) Run(ctx context.Context, s *system.System, std IO) error {
	id, err := account(ctx, s, v.Account)
	if err != nil {
		return err
	}
	r, err := s.Node.Purge(ctx, id)
	if err != nil {
		return err
	}
	if v.JSON {
		return printJSON(std.Out, r)
	}
	files := "the store's files hold none of it"
	if !r.Compacted {
		files = "the store's files lose it in their own time"
	}
	_, err = fmt.Fprintf(std.Out, "%d actions in %d archived segments were blanked, %d bytes; %s\n", r.Actions, r.Segments, r.Bytes, files)
	return err
}
