package verb

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
)

// Audit holds every row to the invariants.
type Audit struct {
	Location
	JSON bool `name:"json" help:"Print JSON."`
}

// Name is "audit".
func (*Audit) Name() string { return "audit" }

// audited is the report as --json prints it.
type audited struct {
	OK bool `json:"ok"`
	actors.AuditReport
}

// Run fails when anything is wrong.
func (v *Audit) Run(ctx context.Context, s *system.System, std IO) error {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	r, err := s.Node.Audit(ctx, func(done, total int64) { line.Sayf("audit: %d of %d", done, total) })
	line.End()
	if err != nil {
		return err
	}
	if v.JSON {
		err = printJSON(std.Out, audited{len(r.Problems) == 0, r})
	} else {
		err = printAudit(std, r)
	}
	if err != nil || len(r.Problems) == 0 {
		return err
	}
	return fmt.Errorf("%d problems; stop the server, keep a copy of the folder, and try parley rebuild", len(r.Problems))
}

func printAudit(std IO, r actors.AuditReport) error {
	for _, p := range r.Problems {
		fmt.Fprintf(std.Out, "%s: %s\n", p.Where, p.What)
	}
	_, err := fmt.Fprintf(std.Out, "%d accounts, %d rooms, %d messages, %d blobs: %d problems\n",
		r.Accounts, r.Rooms, r.Messages, r.Blobs, len(r.Problems))
	return err
}
