package gateway

import (
	"context"

	"github.com/parley-im/parley"
)

// Transfers is what the gateway needs of imports and exports; actors.Client has it.
// Both become jobs at once.
type Transfers interface {
	// StartImport fails with NotFound for a blob that the account may not open, and
	// with BadContent for one that is no archive.
	StartImport(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewImport) (parley.Outcome, error)
	StartExport(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewExport) (parley.Outcome, error)
}
