package bench

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence"
)

// accounted loads one mailbox as the grain does and asks it for its own estimate.
func (h *house) accounted(ctx context.Context) (float64, error) {
	who := personID(0)
	s := mailbox.New(who)
	for pages := []mailbox.Key{mailbox.HeaderKey}; len(pages) > 0; {
		if err := h.load(ctx, s, pages); err != nil {
			return 0, err
		}
		_, err := s.Threads(parley.ThreadQuery{Folder: parley.Inbox}, nil)
		need, lacks := mailbox.IsNeed(err)
		if err != nil && !lacks {
			return 0, err
		}
		if pages = nil; lacks {
			pages = need.Pages
		}
	}
	return float64(s.Bytes()), nil
}

func (h *house) load(ctx context.Context, s *mailbox.State, pages []mailbox.Key) error {
	ranges := make([]persistence.Range, len(pages))
	for i, p := range pages {
		ranges[i] = persistence.Exactly(persistence.Meta, append([]byte{firstGeneration}, p...))
	}
	got, err := h.inner.Read(ctx, persistence.Mailbox, parley.RowKey(string(s.Owner())), ranges...)
	if err != nil {
		return err
	}
	for i, p := range pages {
		var page mailbox.Page
		if len(got[i]) == 1 {
			if page, err = codec.DecodePage(p, got[i][0].Value); err != nil {
				return err
			}
		}
		s.Load(p, page)
	}
	return nil
}

// firstGeneration is that of pages in a row that was never rebuilt.
const firstGeneration = 'p'
