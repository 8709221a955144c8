package verb

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
)

// BlobSweep ends the blobs that nobody names.
type BlobSweep struct {
	Location
	Force bool `help:"Also if a large part of all blobs would go."`
	JSON  bool `name:"json" help:"Print JSON."`
}

// Name is "blob sweep".
func (*BlobSweep) Name() string { return "blob sweep" }

// swept is the report as --json prints it.
type swept struct {
	Blobs        int64    `json:"blobs"`
	Bytes        int64    `json:"bytes"`
	Waiting      int64    `json:"waiting"`
	WaitingBytes int64    `json:"waiting_bytes"`
	Ripe         int64    `json:"ripe"`
	RipeBytes    int64    `json:"ripe_bytes"`
	Ended        int64    `json:"ended"`
	EndedBytes   int64    `json:"ended_bytes"`
	MissingCount int64    `json:"missing_count"`
	Missing      []string `json:"missing,omitempty"` // the first 1,000
}

// Run sweeps once, as a server does every day.
func (v *BlobSweep) Run(ctx context.Context, s *system.System, std IO) error {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	defer line.End()
	names := s.Node.BlobNames(ctx, actors.NamesConfig{Progress: func(rows int64) { line.Sayf("blob sweep: %d rows", rows) }})
	r, err := s.Blobs.Sweep(ctx, blob.SweepConfig{Names: names, Force: v.Force})
	line.End()
	if errors.Is(err, blob.ErrTooMany) {
		return fmt.Errorf("%d of %d blobs (%s) would go, which is much; look at parley audit first, and if it is right, say --force",
			r.Ripe, r.Blobs, amount(r.RipeBytes))
	}
	if err != nil {
		return err
	}
	if v.JSON {
		return printJSON(std.Out, sweptShape(r))
	}
	_, err = fmt.Fprintf(std.Out, "%d blobs (%s): %d ended (%s), %d wait unnamed (%s), %d missing\n",
		r.Blobs, amount(r.Bytes), r.Ended, amount(r.EndedBytes), r.Waiting, amount(r.WaitingBytes), r.MissingCount)
	return err
}

func sweptShape(r blob.Swept) swept {
	out := swept{Blobs: r.Blobs, Bytes: r.Bytes, Waiting: r.Waiting, WaitingBytes: r.WaitingBytes, Ripe: r.Ripe,
		RipeBytes: r.RipeBytes, Ended: r.Ended, EndedBytes: r.EndedBytes, MissingCount: r.MissingCount}
	for _, d := range r.Missing {
		out.Missing = append(out.Missing, hex.EncodeToString(d[:]))
	}
	return out
}

// amount is how people read a number of bytes.
func amount(n int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}
