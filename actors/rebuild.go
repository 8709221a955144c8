package actors

import (
	"context"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
)

// RebuildReport says what a rebuild did.
type RebuildReport struct {
	Actions int64 `json:"actions"`
	Pages   int64 `json:"pages"`
	Changed bool  `json:"changed"` // the old projection said something else
}

// rebuildChunk is how many pages one put of a rebuild carries.
const rebuildChunk = 500

// Rebuild makes a mailbox's projection anew from its log, beside the old one, and
// switches to it by one cell. It claims the row first: an
// activation that is alive ends with its next commit and loads again.
func (n *Node) Rebuild(ctx context.Context, acc parley.AccountID, progress func(done, total int64)) (RebuildReport, error) {
	row := parley.RowKey(string(acc))
	im, err := readImage(ctx, n.cfg.Store, persistence.Mailbox, row)
	if err != nil {
		return RebuildReport{}, err
	}
	if im.fenceBytes == nil {
		return RebuildReport{}, parley.E(parley.NotFound, "actors.rebuild", "this account has no mailbox yet")
	}
	folded, live := mailbox.NewWhole(acc), mailbox.NewWhole(acc)
	a := &audit{}
	loadErr := loadMailbox(live, im)
	for i, raw := range im.actions {
		act, err := codec.DecodeAction(raw)
		if err != nil {
			return RebuildReport{}, fmt.Errorf("action %d: %w", i+1, err)
		}
		if loadErr == nil {
			loadErr = a.foldBoth(folded, live, act, im.mark.Applied)
		} else if err := folded.Apply(act); err != nil {
			return RebuildReport{}, err
		}
		progress(int64(i+1), int64(len(im.actions)))
	}
	rep := RebuildReport{Actions: int64(len(im.actions)), Changed: loadErr != nil || folded.Canonical() != live.Canonical()}
	w := &rowWriter{n: n, row: row, im: im, nonce: n.nonce()}
	if err := w.clear(ctx, im.stale); err != nil {
		return rep, err
	}
	generation := otherGeneration(im.mark.Generation)
	var cells []persistence.Cell
	for key, p := range folded.Pages() {
		value, err := codec.EncodePage(key, p)
		if err != nil {
			return rep, err
		}
		cells = append(cells, persistence.Cell{Family: persistence.Meta, Qualifier: pageQualifier(generation, string(key)), Value: value})
		rep.Pages++
		if len(cells) == rebuildChunk {
			if err := w.put(ctx, cells); err != nil {
				return rep, err
			}
			cells = nil
		}
	}
	mark := codec.Mark{Generation: generation, Applied: uint64(len(im.actions)), Projection: codec.ProjectionVersion, Action: codec.ActionVersion}
	cells = append(cells, persistence.Cell{Family: persistence.Meta, Qualifier: markQualifier, Value: codec.EncodeMark(mark)})
	if err := w.put(ctx, cells); err != nil {
		return rep, err
	}
	return rep, w.eraseOld(ctx)
}

// rowWriter puts into a row under a claim of its own.
type rowWriter struct {
	n     *Node
	row   []byte
	im    *rowImage
	nonce uint64
	puts  uint32
}

func (w *rowWriter) put(ctx context.Context, cells []persistence.Cell) error {
	w.puts++
	next := w.im.fence
	next.Epoch, next.Nonce, next.N = w.im.fence.Epoch+1, w.nonce, w.puts
	value := codec.EncodeFence(next)
	cells = append(cells, persistence.Cell{Family: persistence.Log, Qualifier: fenceQualifier, Value: value})
	for i := range cells {
		cells[i].Version = next.Version()
	}
	check := persistence.Check{Family: persistence.Log, Qualifier: fenceQualifier, Want: w.im.fenceBytes}
	if err := w.n.cfg.Store.Commit(ctx, persistence.Mailbox, w.row, check, cells); err != nil {
		return fmt.Errorf("the mailbox was used meanwhile, run it again: %w", err)
	}
	w.im.fenceBytes = value
	return nil
}

// clear claims the row, then erases what an earlier rebuild left half done.
func (w *rowWriter) clear(ctx context.Context, stale []persistence.Cell) error {
	if err := w.put(ctx, nil); err != nil {
		return err
	}
	return w.erase(ctx, stale)
}

func (w *rowWriter) erase(ctx context.Context, cells []persistence.Cell) error {
	for len(cells) > 0 {
		n := min(len(cells), rebuildChunk)
		dead := make([]persistence.Dead, n)
		for i, c := range cells[:n] {
			dead[i] = persistence.Dead{Family: c.Family, Qualifier: c.Qualifier, UpTo: c.Version}
		}
		if err := w.n.cfg.Store.Erase(ctx, persistence.Mailbox, w.row, dead...); err != nil {
			return err
		}
		cells = cells[n:]
	}
	return nil
}

// eraseOld removes the pages of the generation that no longer counts.
func (w *rowWriter) eraseOld(ctx context.Context) error {
	g := w.im.mark.Generation
	var old []persistence.Cell
	r := persistence.Range{Family: persistence.Meta, From: []byte{g}, To: []byte{g + 1}}
	err := each(ctx, w.n.cfg.Store, persistence.Mailbox, w.row, r, func(c persistence.Cell) error {
		c.Value = nil
		old = append(old, c)
		return nil
	})
	if err != nil {
		return err
	}
	return w.erase(ctx, old)
}
