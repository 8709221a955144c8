package demo

import (
	"context"
	"fmt"
	"net/url"
)

// Of the shapes of /v1, the fields that the play looks at.

type mailboxShape struct {
	Messages, Threads, Badge int64
	Revision                 uint64
}

type threadShape struct {
	ID       string
	Kind     string
	Subject  string
	Messages int64
	Unread   int64
	Folders  []string
}

type messageShape struct {
	ID          string
	Thread      string
	Kind        string
	Notice      string
	Seq         uint64
	Author      struct{ Account, Name, Address string }
	Subject     string
	Text        string
	Seen        bool
	MessageID   string `json:"message_id"`
	Attachments []struct {
		Blob string
		Name string
		Size int64
	}
}

type list[T any] struct {
	Data []T
	Next *string
}

// mailbox is the figures of the own mailbox.
func (p *person) mailbox(ctx context.Context) (m mailboxShape, err error) {
	return m, p.get(ctx, "/mailbox", &m)
}

// threads lists all threads of a folder; "" is all but Spam and Trash.
func (p *person) threads(ctx context.Context, folder string) ([]threadShape, error) {
	q := url.Values{}
	if folder != "" {
		q.Set("folder", folder)
	}
	return all[threadShape](ctx, p, "/threads", q)
}

// thread is one thread of the own copy.
func (p *person) thread(ctx context.Context, id string) (t threadShape, err error) {
	return t, p.get(ctx, "/threads/"+id, &t)
}

// messages lists a thread as the own copy has it, the oldest first.
func (p *person) messages(ctx context.Context, thread string) ([]messageShape, error) {
	return all[messageShape](ctx, p, "/threads/"+thread+"/messages", url.Values{})
}

// all reads a list page by page, in small pages, as a phone would.
func all[T any](ctx context.Context, p *person, path string, q url.Values) (items []T, err error) {
	q.Set("limit", "4")
	for {
		var page list[T]
		if err := p.get(ctx, path+"?"+q.Encode(), &page); err != nil {
			return nil, err
		}
		items = append(items, page.Data...)
		if page.Next == nil {
			return items, nil
		}
		q.Set("after", *page.Next)
		if len(items) > 1000 {
			return nil, fmt.Errorf("%s does not end", path)
		}
	}
}
