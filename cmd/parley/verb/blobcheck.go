package verb

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
)

// BlobCheck reads every blob and verifies it.
type BlobCheck struct {
	Location
	Names bool `help:"Also look for blobs that messages name and that are not there."`
	JSON  bool `name:"json" help:"Print JSON."`
}

// Name is "blob check".
func (*BlobCheck) Name() string { return "blob check" }

// checked is the report as --json prints it.
type checked struct {
	OK            bool     `json:"ok"`
	Volumes       int      `json:"volumes"`
	Blobs         int64    `json:"blobs"`
	Copies        int64    `json:"copies"`
	Ended         int64    `json:"ended"`
	Bytes         int64    `json:"bytes"`
	CutBytes      int64    `json:"cut_bytes"`
	DamageCount   int64    `json:"damage_count"`
	Damages       []damage `json:"damages"`
	IndexMissing  int64    `json:"index_missing"`
	IndexDangling int64    `json:"index_dangling"`
	Missing       []string `json:"missing,omitempty"`
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
	var missing []parley.Digest
	if v.Names {
		if missing, err = missingBlobs(ctx, s, std); err != nil {
			return err
		}
	}
	if v.JSON {
		err = printJSON(std.Out, checkedShape(r, missing))
	} else {
		err = printCheck(std, r, missing)
	}
	if err != nil || r.Sound() && len(missing) == 0 {
		return err
	}
	if r.Sound() {
		return fmt.Errorf("%d blobs are missing; put them back from a backup, or import the mail again, which brings it back", len(missing))
	}
	return fmt.Errorf("blobs are damaged; put them back from a backup, or import the mail again, which heals them")
}

// missingBlobs lists what is named and is not there, each once.
func missingBlobs(ctx context.Context, s *system.System, std IO) (missing []parley.Digest, err error) {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	defer line.End()
	seen := map[parley.Digest]bool{}
	names := s.Node.BlobNames(ctx, actors.NamesConfig{Progress: func(rows int64) { line.Sayf("names: %d rows", rows) }})
	for d, err := range names {
		if err != nil {
			return nil, err
		}
		if _, err := s.Blobs.Stat(ctx, d); parley.CodeOf(err) == parley.NotFound && err != nil && !seen[d] {
			seen[d] = true
			missing = append(missing, d)
		}
	}
	return missing, nil
}

func checkedShape(r blob.Report, missing []parley.Digest) checked {
	c := checked{
		OK: r.Sound() && len(missing) == 0, Volumes: r.Volumes, Blobs: r.Blobs, Copies: r.Copies, Ended: r.Ended, Bytes: r.Bytes, CutBytes: r.CutBytes,
		DamageCount: r.DamageCount, Damages: damages(r.Damages), IndexMissing: r.IndexMissing, IndexDangling: r.IndexDangling,
	}
	for _, d := range missing {
		c.Missing = append(c.Missing, hex.EncodeToString(d[:]))
	}
	return c
}

func printCheck(std IO, r blob.Report, missing []parley.Digest) error {
	printDamages(std, r.Damages)
	for _, d := range missing {
		fmt.Fprintf(std.Out, "missing: blob %x\n", d)
	}
	_, err := fmt.Fprintf(std.Out, "%d blobs in %d volumes: %d damaged, %d not in the index, %d only there\n",
		r.Blobs, r.Volumes, r.DamageCount, r.IndexMissing, r.IndexDangling)
	return err
}

// damages are never nil, so that programs find a list.
func damages(all []blob.Damage) []damage {
	out := make([]damage, 0, len(all))
	for _, d := range all {
		one := damage{Volume: d.Volume, Offset: d.Offset, Bytes: d.Bytes, Reason: d.Reason}
		if !d.Digest.IsZero() {
			one.Digest = hex.EncodeToString(d.Digest[:])
		}
		out = append(out, one)
	}
	return out
}

func printDamages(std IO, all []blob.Damage) {
	for _, d := range all {
		fmt.Fprintf(std.Out, "volume %d at %d, %d bytes, blob %x: %s\n", d.Volume, d.Offset, d.Bytes, d.Digest, d.Reason)
	}
}
