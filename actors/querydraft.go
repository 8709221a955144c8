package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// The answers of queries for drafts before their texts are read.
type (
	oneDraft struct {
		m   *mailbox.Message
		rev parley.Revision
	}
	draftPage struct {
		page mailbox.MessagePage
		rev  parley.Revision
	}
)

// askSending is the read with which a mailbox finds what is left to send; it
// never leaves the grain.
type askSending struct{}

// draftQuery returns what answers a read about drafts.
func draftQuery(s *mailbox.State, cmd any, now time.Time) (q func() (any, error), ok bool) {
	switch c := cmd.(type) {
	case mailbox.AskDraft:
		return func() (any, error) {
			m, err := s.Draft(c.ID)
			return oneDraft{m, s.Last()}, err
		}, true
	case mailbox.AskDrafts:
		return func() (any, error) {
			p, err := s.Drafts(c.Query)
			return draftPage{p, s.Last()}, err
		}, true
	case askTransfer:
		return func() (any, error) { return s.Job(c.id, now) }, true
	case askSending:
		return func() (any, error) { return s.Leaving() }, true
	}
	return nil, false
}

// completeDraft reads the texts of drafts.
func (m *mailboxMachine) completeDraft(rep any) func(context.Context, any) (any, error) {
	switch r := rep.(type) {
	case oneDraft:
		known := m.known(r.m)
		return func(ctx context.Context, _ any) (any, error) {
			texts, err := m.texts.texts(ctx, []*mailbox.Message{r.m}, known)
			if err != nil {
				return nil, err
			}
			d := r.m.PublicDraft()
			d.Text = texts[0]
			return mailbox.OneDraft{Draft: d, Revision: r.rev}, nil
		}
	case draftPage:
		known := m.known(r.page.Items...)
		return func(ctx context.Context, _ any) (any, error) {
			page, texts, err := m.pageTexts(ctx, r.page, known)
			if err != nil {
				return nil, err
			}
			out := parley.Listing[parley.DraftMessage]{Next: page.Next, Prev: page.Prev, Total: page.Total, Revision: r.rev}
			for i, e := range page.Items {
				d := e.PublicDraft()
				d.Text = texts[i]
				out.Items = append(out.Items, d)
			}
			return out, nil
		}
	}
	return nil
}
