package torture

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/client"
)

// before is how /v1 asks for a page from its end.
func before(p parley.Page) string {
	if p.End {
		return "end"
	}
	return p.Before
}

// Stats implements Reader.
func (d *HTTPDoor) Stats(ctx context.Context, acc account, _ parley.Revision) (parley.Stats, error) {
	m, _, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Mailbox, error) { return c.GetMailbox(ctx, keep) })
	if err != nil {
		return parley.Stats{}, err
	}
	return parley.Stats{Bytes: m.Bytes, Messages: m.Messages, Threads: m.Threads, Replies: m.Replies, ActiveContacts: m.ActiveContacts,
		Badge: m.Badge, Other: m.Other, Revision: parley.Revision(m.Revision)}, nil
}

// Folders implements Reader.
func (d *HTTPDoor) Folders(ctx context.Context, acc account, _ parley.Revision) ([]parley.Folder, parley.Revision, error) {
	l, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.FolderList, error) {
		return c.ListFolders(ctx, keep)
	})
	if err != nil {
		return nil, 0, err
	}
	var all []parley.Folder
	for _, f := range l.Data {
		all = append(all, parley.Folder{ID: parley.FolderID(f.ID), Counts: parley.Counts(f.Counts)})
	}
	return all, h.revision, nil
}

// Threads implements Reader.
func (d *HTTPDoor) Threads(ctx context.Context, acc account, q parley.ThreadQuery, _ parley.Revision) (parley.Listing[parley.Thread], error) {
	params := client.ListThreadsParams{
		After: q.Page.After, Before: before(q.Page), Limit: int64(q.Page.Limit), Folder: client.FolderID(q.Folder), Unread: q.Unread,
		Kind: client.ListThreadsKind(q.Kind),
	}
	l, _, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.ThreadList, error) {
		return c.ListThreads(ctx, params, keep)
	})
	if err != nil {
		return parley.Listing[parley.Thread]{}, err
	}
	return listing(l.Data, l.Next, l.Prev, l.Revision, threadNoun), nil
}

// Thread implements Reader.
func (d *HTTPDoor) Thread(ctx context.Context, acc account, id parley.ThreadID, _ parley.Revision) (parley.Thread, parley.Revision, error) {
	t, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Thread, error) {
		return c.GetThread(ctx, client.ThreadID(id), keep)
	})
	if err != nil {
		return parley.Thread{}, 0, err
	}
	return threadNoun(*t), h.revision, nil
}

// Messages implements Reader.
func (d *HTTPDoor) Messages(ctx context.Context, acc account, id parley.ThreadID, _ parley.MessageID, p parley.Page, _ parley.Revision) (parley.Listing[parley.Message], error) {
	params := client.ListMessagesParams{After: p.After, Before: before(p), Limit: int64(p.Limit)}
	l, _, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.MessageList, error) {
		return c.ListMessages(ctx, client.ThreadID(id), params, keep)
	})
	if err != nil {
		return parley.Listing[parley.Message]{}, err
	}
	return listing(l.Data, l.Next, l.Prev, l.Revision, messageNoun), nil
}

// Message implements Reader.
func (d *HTTPDoor) Message(ctx context.Context, acc account, id parley.MessageID, _ parley.Revision) (parley.Message, parley.Revision, error) {
	m, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Message, error) {
		return c.GetMessage(ctx, client.MessageID(id), keep)
	})
	if err != nil {
		return parley.Message{}, 0, err
	}
	return messageNoun(*m), h.revision, nil
}
