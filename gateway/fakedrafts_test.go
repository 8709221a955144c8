package gateway

import (
	"cmp"
	"context"
	"slices"

	"github.com/parley-im/parley"
)

// slip is the draft that Ana has from the beginning.
var slip = parley.MessageID(parley.FormatID(parley.MessagePrefix, secret.Derive("fake", "slip")))

func (f *fake) furnishDrafts() {
	f.drafts = map[parley.MessageID]parley.DraftMessage{slip: {
		ID: slip, Thread: boat, Kind: parley.KindRoom, Text: "Or Sunday?", Excerpt: "Or Sunday?", ReplyTo: hello, RosterVersion: 2, Size: 10,
		Attachments: []parley.Attachment{f.blobs[photo].Attachment}, Mentions: []parley.PartID{boPart}, CreatedAt: noon, UpdatedAt: noon, Revision: 7,
	}}
}

func (f *fake) Drafts(ctx context.Context, acc parley.AccountID, q parley.DraftQuery, atLeast parley.Revision) (l parley.Listing[parley.DraftMessage], err error) {
	leave, err := f.enter(ctx, "Drafts", q)
	if err != nil {
		return l, err
	}
	defer leave()
	for _, d := range f.drafts {
		if q.Thread == "" || q.Thread == d.Thread {
			l.Items = append(l.Items, d)
		}
	}
	slices.SortFunc(l.Items, func(a, b parley.DraftMessage) int { return cmp.Compare(a.ID, b.ID) })
	l.Revision = f.rev
	return l, behind(atLeast, f.rev)
}

func (f *fake) Draft(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (parley.DraftMessage, parley.Revision, error) {
	leave, err := f.enter(ctx, "Draft", id)
	if err != nil {
		return parley.DraftMessage{}, 0, err
	}
	defer leave()
	d, ok := f.drafts[id]
	if !ok {
		return d, 0, notFound("draft")
	}
	return d, f.rev, behind(atLeast, f.rev)
}

func (f *fake) CreateDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewDraft) (parley.DraftMessage, parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "CreateDraft", n)
	if err != nil {
		return parley.DraftMessage{}, 0, false, err
	}
	defer leave()
	d, replayed, err := remember(f, cmd, func() (parley.DraftMessage, error) {
		d := parley.DraftMessage{ID: secret.Message(cmd.ID, "draft"), Thread: n.Thread, Kind: parley.KindRoom, CreatedAt: noon}
		if n.Thread == "" {
			d.Thread, d.Alone = secret.Thread(cmd.ID), true
		}
		return f.write(d, n.DraftChange, parley.DraftCreated), nil
	})
	return d, d.Revision, replayed, err
}

func (f *fake) ChangeDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID, c parley.DraftChange) (parley.DraftMessage, parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "ChangeDraft", c)
	if err != nil {
		return parley.DraftMessage{}, 0, false, err
	}
	defer leave()
	d, replayed, err := remember(f, cmd, func() (parley.DraftMessage, error) {
		d, err := f.editable(id, ifMatch)
		if err != nil {
			return d, err
		}
		return f.write(d, c, parley.DraftUpdated), nil
	})
	return d, d.Revision, replayed, err
}

func (f *fake) editable(id parley.MessageID, ifMatch parley.Revision) (parley.DraftMessage, error) {
	d, ok := f.drafts[id]
	switch {
	case !ok && f.find(id) >= 0:
		return d, parley.E(parley.AlreadySent, "fake", "")
	case !ok:
		return d, notFound("draft")
	case ifMatch != 0 && ifMatch != d.Revision:
		return d, parley.E(parley.Stale, "fake", "")
	}
	return d, nil
}

func (f *fake) write(d parley.DraftMessage, c parley.DraftChange, t parley.EventType) parley.DraftMessage {
	if c.Text != nil {
		d.Text, d.Excerpt, d.Size = *c.Text, *c.Text, int64(len(*c.Text))
	}
	if c.Subject != nil {
		d.Subject = *c.Subject
	}
	if c.To != nil {
		d.To = *c.To
	}
	if c.ReplyTo != nil {
		d.ReplyTo = *c.ReplyTo
	}
	if c.RosterVersion != nil {
		d.RosterVersion = *c.RosterVersion
	}
	d.UpdatedAt = noon
	d.Revision = f.act(parley.Event{Type: t, Thread: d.Thread, Message: d.ID})
	f.drafts[d.ID] = d
	return d
}

func (f *fake) DiscardDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "DiscardDraft", id)
	if err != nil {
		return 0, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Revision, error) {
		d, err := f.editable(id, ifMatch)
		if err != nil {
			return 0, err
		}
		delete(f.drafts, id)
		return f.act(parley.Event{Type: parley.DraftRemoved, Thread: d.Thread, Message: id}), nil
	})
}

func (f *fake) SendDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Posted, error) {
	leave, err := f.enter(ctx, "SendDraft", id)
	if err != nil {
		return parley.Posted{}, err
	}
	defer leave()
	posted, replayed, err := remember(f, cmd, func() (parley.Posted, error) {
		d, err := f.editable(id, ifMatch)
		if err != nil {
			return parley.Posted{}, err
		}
		delete(f.drafts, id)
		m := parley.Message{
			ID: id, Thread: d.Thread, Seq: 4, Author: parley.Author{Account: acc, Part: anaPart, Name: "Ana"}, Channel: parley.ChannelChat,
			Text: d.Text, Excerpt: d.Excerpt, ReplyTo: d.ReplyTo, At: noon, ReceivedAt: noon, Folders: []parley.FolderID{parley.Inbox, parley.Sent},
			Keywords: []parley.Keyword{parley.Seen}, Size: d.Size,
		}
		m.Revision = f.act(parley.Event{Type: parley.MessageCreated, Thread: d.Thread, Message: id, Cause: cmd.ID})
		f.messages = append(f.messages, m)
		return parley.Posted{Message: m, Revision: m.Revision}, nil
	})
	posted.Replayed = replayed
	return posted, err
}
