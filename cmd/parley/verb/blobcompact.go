package verb

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
)

// BlobCompact gives the space of ended blobs back.
type BlobCompact struct {
	Location
	All  bool `help:"Rewrite every volume that has anything unused, not only those of which much is."`
	JSON bool `name:"json" help:"Print JSON."`
}

// Name is "blob compact".
func (*BlobCompact) Name() string { return "blob compact" }

// compacted is the report as --json prints it.
type compacted struct {
	Volumes   int      `json:"volumes"`
	Copied    int64    `json:"copied"`
	Freed     int64    `json:"freed"`
	DeadBytes int64    `json:"dead_bytes"` // before
	Kept      int      `json:"kept"`
	Busy      int      `json:"busy"`
	NoSpace   int      `json:"no_space"`
	Damages   []damage `json:"damages"`
}

// Run fails when a volume has to stay, since something in it is damaged.
func (v *BlobCompact) Run(ctx context.Context, s *system.System, std IO) error {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	defer line.End()
	cfg := blob.CompactConfig{Progress: func(done, total int64) { line.Sayf("blob compact: %d of %d MiB", done>>20, total>>20) }}
	if v.All {
		cfg.DeadShare = -1
	}
	r, err := s.Blobs.Compact(ctx, cfg)
	line.End()
	if err != nil {
		return err
	}
	if v.JSON {
		err = printJSON(std.Out, compactedShape(r))
	} else {
		err = printCompacted(std, r)
	}
	if err != nil || r.Kept == 0 {
		return err
	}
	return fmt.Errorf("%d volumes stay, since something in them is damaged; put it back from a backup, or import the mail again, and compact then", r.Kept)
}

func compactedShape(r blob.Compacted) compacted {
	return compacted{Volumes: r.Volumes, Copied: r.Copied, Freed: r.Freed, DeadBytes: r.DeadBytes,
		Kept: r.Kept, Busy: r.Busy, NoSpace: r.NoSpace, Damages: damages(r.Damages)}
}

func printCompacted(std IO, r blob.Compacted) error {
	printDamages(std, r.Damages)
	fmt.Fprintf(std.Out, "%d volumes rewritten: %s copied, %s given back of %s that nothing needed\n",
		r.Volumes, amount(r.Copied), amount(r.Freed), amount(r.DeadBytes))
	if r.Busy > 0 {
		fmt.Fprintf(std.Out, "%d volumes are being written to; run it again\n", r.Busy)
	}
	if r.NoSpace > 0 {
		fmt.Fprintf(std.Out, "%d volumes wait for space to copy what is used\n", r.NoSpace)
	}
	return nil
}
