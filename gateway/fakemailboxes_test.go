package gateway

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
)

func (f *fake) Stats(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) (s parley.Stats, err error) {
	leave, err := f.enter(ctx, "Stats", acc)
	if err != nil {
		return s, err
	}
	defer leave()
	return parley.Stats{Bytes: 917, Messages: 2, Threads: 2, Badge: 1, Revision: f.rev, LastAudit: noon}, behind(atLeast, f.rev)
}

func (f *fake) Threads(ctx context.Context, acc parley.AccountID, q parley.ThreadQuery, atLeast parley.Revision) (l parley.Listing[parley.Thread], err error) {
	leave, err := f.enter(ctx, "Threads", q)
	if err != nil {
		return l, err
	}
	defer leave()
	if q.Page.After == "forged" {
		return l, &parley.Error{Code: parley.BadCursor, Op: "fake", Field: "after"}
	}
	l = parley.Listing[parley.Thread]{Items: []parley.Thread{f.threads[boat], f.threads[invoice]}, Prev: "back", Total: 2, Revision: f.rev}
	return l, behind(atLeast, f.rev)
}

func (f *fake) Thread(ctx context.Context, acc parley.AccountID, id parley.ThreadID, atLeast parley.Revision) (parley.Thread, parley.Revision, error) {
	leave, err := f.enter(ctx, "Thread", id)
	if err != nil {
		return parley.Thread{}, 0, err
	}
	defer leave()
	t, ok := f.threads[id]
	if !ok {
		return t, 0, notFound("thread")
	}
	return t, f.rev, behind(atLeast, f.rev)
}

type messagesArgs struct {
	around parley.MessageID
	page   parley.Page
}

func (f *fake) Messages(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, around parley.MessageID, p parley.Page, atLeast parley.Revision) (l parley.Listing[parley.Message], err error) {
	leave, err := f.enter(ctx, "Messages", messagesArgs{around, p})
	if err != nil {
		return l, err
	}
	defer leave()
	for _, m := range f.messages {
		if m.Thread == thread {
			l.Items = append(l.Items, m)
		}
	}
	l.Revision, l.Total = f.rev, int64(len(l.Items))
	return l, behind(atLeast, f.rev)
}

func (f *fake) Message(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (parley.Message, parley.Revision, error) {
	leave, err := f.enter(ctx, "Message", id)
	if err != nil {
		return parley.Message{}, 0, err
	}
	defer leave()
	i := f.find(id)
	if i < 0 {
		return parley.Message{}, 0, notFound("message")
	}
	return f.messages[i], f.rev, behind(atLeast, f.rev)
}

func (f *fake) find(id parley.MessageID) int {
	return slices.IndexFunc(f.messages, func(m parley.Message) bool { return m.ID == id })
}

func (f *fake) Explain(ctx context.Context, acc parley.AccountID, id parley.MessageID) (e parley.Explanation, err error) {
	leave, err := f.enter(ctx, "Explain", id)
	if err != nil {
		return e, err
	}
	defer leave()
	if f.find(id) < 0 {
		return e, notFound("message")
	}
	return parley.Explanation{
		Thread: invoice, Signal: parley.SignalNew, Folders: []parley.FolderID{parley.Inbox},
		Arrivals: []parley.Arrival{{At: noon, Channel: parley.ChannelMail, From: "dee@example.net", To: "ana@example.org"}},
	}, nil
}

func (f *fake) Raw(ctx context.Context, acc parley.AccountID, id parley.MessageID) (io.ReadCloser, int64, error) {
	leave, err := f.enter(ctx, "Raw", id)
	if err != nil {
		return nil, 0, err
	}
	defer leave()
	raw, ok := f.raw[id]
	if !ok {
		return nil, 0, notFound("message")
	}
	return io.NopCloser(strings.NewReader(raw)), int64(len(raw)), nil
}

func (f *fake) HTML(ctx context.Context, acc parley.AccountID, id parley.MessageID) (parley.HTMLBody, error) {
	leave, err := f.enter(ctx, "HTML", id)
	if err != nil {
		return parley.HTMLBody{}, err
	}
	defer leave()
	b, ok := f.html[id]
	if !ok {
		return b, notFound("message")
	}
	return b, nil
}

func (f *fake) ChangeMessages(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, c parley.Change) (parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "ChangeMessages", c)
	if err != nil {
		return 0, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Revision, error) {
		i := f.find(ids[0])
		if i < 0 {
			return 0, notFound("message")
		}
		m := &f.messages[i]
		if err := stale(uint64(ifMatch), uint64(m.Revision)); err != nil {
			return 0, err
		}
		if m.Seq > 0 && slices.Contains(c.Folders, parley.Drafts) {
			return 0, &parley.Error{Code: parley.NotADraft, Op: "fake", Field: "folders"}
		}
		if c.Seen != nil && *c.Seen {
			m.Keywords = append(m.Keywords, parley.Seen)
		}
		if c.Folders != nil {
			m.Folders = c.Folders
		}
		m.Revision = f.act(parley.Event{Type: parley.MessageUpdated, Thread: m.Thread, Message: m.ID, Cause: cmd.ID})
		return m.Revision, nil
	})
}

func (f *fake) ChangeThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID, c parley.ThreadChange) (parley.Outcome, error) {
	leave, err := f.enter(ctx, "ChangeThread", c)
	if err != nil {
		return parley.Outcome{}, err
	}
	defer leave()
	o, err := outcome(remember(f, cmd, func() (parley.Revision, error) {
		t, ok := f.threads[id]
		if !ok {
			return 0, notFound("thread")
		}
		if err := stale(uint64(ifMatch), uint64(t.Revision)); err != nil {
			return 0, err
		}
		set(&t.Muted, c.Muted)
		set(&t.Subject, c.Subject)
		t.Revision = f.act(parley.Event{Type: parley.ThreadUpdated, Thread: id, Cause: cmd.ID})
		f.threads[id] = t
		return t.Revision, nil
	}))
	o.Behind = f.behind
	return o, err
}

func (f *fake) DeleteMessage(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Revision, bool, error) {
	trash := parley.Change{Folders: []parley.FolderID{parley.Trash}}
	return f.ChangeMessages(ctx, acc, cmd, ifMatch, []parley.MessageID{id}, trash)
}

func (f *fake) DeleteThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID) (parley.Outcome, error) {
	out, err := f.ChangeThread(ctx, acc, cmd, ifMatch, id, parley.ThreadChange{})
	if t, ok := f.threads[id]; ok && err == nil && !out.Replayed {
		if slices.Contains(t.Folders, parley.Trash) {
			delete(f.threads, id)
			return out, nil
		}
		t.Folders = []parley.FolderID{parley.Trash}
		f.threads[id] = t
	}
	return out, err
}

func (f *fake) RestoreThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, id parley.ThreadID) (parley.Outcome, error) {
	return f.ChangeThread(ctx, acc, cmd, 0, id, parley.ThreadChange{})
}

func (f *fake) SplitThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, thread parley.ThreadID, s parley.Split) (parley.ThreadID, parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "SplitThread", s)
	if err != nil {
		return "", 0, false, err
	}
	defer leave()
	t, replayed, err := remember(f, cmd, func() (parley.Thread, error) {
		t, ok := f.threads[thread]
		if !ok {
			return t, notFound("thread")
		}
		if err := stale(uint64(ifMatch), uint64(t.Revision)); err != nil {
			return t, err
		}
		t.ID = secret.Thread(cmd.ID)
		t.Revision = f.act(parley.Event{Type: parley.ThreadUpdated, Thread: t.ID, Cause: cmd.ID})
		f.threads[t.ID] = t
		return t, nil
	})
	return t.ID, t.Revision, replayed, err
}

func (f *fake) MergeThreads(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, thread, with parley.ThreadID) (parley.ThreadID, parley.Revision, bool, error) {
	out, err := f.ChangeThread(ctx, acc, cmd, ifMatch, thread, parley.ThreadChange{})
	return thread, out.Revision, out.Replayed, err
}

func (f *fake) Undo(ctx context.Context, acc parley.AccountID, cmd parley.Command, rev parley.Revision) (parley.Undone, bool, error) {
	leave, err := f.enter(ctx, "Undo", rev)
	if err != nil {
		return parley.Undone{}, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Undone, error) {
		switch {
		case rev > f.rev:
			return parley.Undone{}, notFound("revision")
		case rev == 8: // a post
			return parley.Undone{}, &parley.Error{Code: parley.NotUndoable, Op: "fake", Field: "revision"}
		}
		return parley.Undone{Undone: 2, Skipped: 1, Revision: f.act(parley.Event{Type: parley.MessageUpdated, Thread: boat, Message: hello, Cause: cmd.ID})}, nil
	})
}

func (f *fake) Upload(ctx context.Context, acc parley.AccountID, cmd parley.Command, name, contentType string, r io.Reader) (parley.Attachment, bool, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return parley.Attachment{}, false, parley.Wrap(parley.Internal, "fake", err)
	}
	leave, err := f.enter(ctx, "Upload", nil)
	if err != nil {
		return parley.Attachment{}, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Attachment, error) {
		a := parley.Attachment{Blob: idOf[parley.BlobID]("blb_", string(content)), Name: name, Type: contentType, Size: int64(len(content))}
		f.blobs[a.Blob] = fakeBlob{a, string(content)}
		return a, nil
	})
}

func (f *fake) OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (BlobContent, error) {
	leave, err := f.enter(ctx, "OpenBlob", id)
	if err != nil {
		return BlobContent{}, err
	}
	defer leave()
	b, ok := f.blobs[id]
	if !ok || acc != ana {
		return BlobContent{}, notFound("blob")
	}
	return BlobContent{Attachment: b.Attachment, ReaderAt: strings.NewReader(b.content), Closer: io.NopCloser(nil)}, nil
}

func (f *fake) Events(ctx context.Context, acc parley.AccountID, since parley.Revision, index int, wait time.Duration, limit int) ([]parley.Event, parley.Revision, error) {
	leave, err := f.enter(ctx, "Events", wait)
	if err != nil {
		return nil, 0, err
	}
	found, head, more, resync := f.after(since, index, limit), f.rev, f.more, since+1 < f.kept
	leave()
	if resync {
		return nil, 0, parley.E(parley.Resync, "fake", "")
	}
	if len(found) > 0 || wait == 0 {
		return found, head, nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, 0, parley.Wrap(parley.Unavailable, "fake", ctx.Err())
	case <-timer.C:
		return nil, head, nil
	case <-more:
		return f.Events(ctx, acc, since, index, 0, limit)
	}
}

func (f *fake) after(since parley.Revision, index, limit int) (found []parley.Event) {
	for _, e := range f.events {
		if (e.Revision > since || e.Revision == since && e.Index > index) && len(found) < limit {
			found = append(found, e)
		}
	}
	return found
}
