package verb

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
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

// BlobCheck reads every blob and verifies it.
type BlobCheck struct {
	Location
	JSON bool `name:"json" help:"Print JSON."`
}

// Name is "blob check".
func (*BlobCheck) Name() string { return "blob check" }

// checked is the report as --json prints it.
type checked struct {
	OK            bool     `json:"ok"`
	Volumes       int      `json:"volumes"`
	Blobs         int64    `json:"blobs"`
	Copies        int64    `json:"copies"`
	Bytes         int64    `json:"bytes"`
	CutBytes      int64    `json:"cut_bytes"`
	DamageCount   int64    `json:"damage_count"`
	Damages       []damage `json:"damages"`
	IndexMissing  int64    `json:"index_missing"`
	IndexDangling int64    `json:"index_dangling"`
}

type damage struct {
	Digest string `json:"digest,omitempty"`
	Volume uint32 `json:"volume"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	Reason string `json:"reason"`
}

// Run fails when anything is damaged.
func (v *BlobCheck) Run(ctx context.Context, s *system.System, std IO) error {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	r, err := s.Blobs.Check(ctx, func(done, total int64) { line.Sayf("blob check: %d of %d MiB", done>>20, total>>20) })
	line.End()
	if err != nil {
		return err
	}
	if v.JSON {
		err = printJSON(std.Out, checkedShape(r))
	} else {
		err = printCheck(std, r)
	}
	if err != nil || r.Sound() {
		return err
	}
	return fmt.Errorf("blobs are damaged; put them back from a backup, or import the mail again, which heals them")
}

func checkedShape(r blob.Report) checked {
	c := checked{
		OK: r.Sound(), Volumes: r.Volumes, Blobs: r.Blobs, Copies: r.Copies, Bytes: r.Bytes, CutBytes: r.CutBytes,
		DamageCount: r.DamageCount, Damages: []damage{}, IndexMissing: r.IndexMissing, IndexDangling: r.IndexDangling,
	}
	for _, d := range r.Damages {
		one := damage{Volume: d.Volume, Offset: d.Offset, Bytes: d.Bytes, Reason: d.Reason}
		if !d.Digest.IsZero() {
			one.Digest = hex.EncodeToString(d.Digest[:])
		}
		c.Damages = append(c.Damages, one)
	}
	return c
}

func printCheck(std IO, r blob.Report) error {
	for _, d := range r.Damages {
		fmt.Fprintf(std.Out, "volume %d at %d, %d bytes, blob %x: %s\n", d.Volume, d.Offset, d.Bytes, d.Digest, d.Reason)
	}
	_, err := fmt.Fprintf(std.Out, "%d blobs in %d volumes: %d damaged, %d not in the index, %d only there\n",
		r.Blobs, r.Volumes, r.DamageCount, r.IndexMissing, r.IndexDangling)
	return err
}
