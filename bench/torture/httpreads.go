package torture

import (
	"context"
	"net/url"
	"strconv"

	"github.com/parley-im/parley"
)

func get(path string, q url.Values) request { return request{method: "GET", path: path, query: q} }

// Stats implements Reader.
func (d *HTTPDoor) Stats(ctx context.Context, acc account, _ parley.Revision) (parley.Stats, error) {
	var m jsonMailbox
	_, err := d.call(ctx, acc, &m, get("/mailbox", nil))
	return parley.Stats{Bytes: m.Bytes, Messages: m.Messages, Threads: m.Threads, Replies: m.Replies, ActiveContacts: m.ActiveContacts,
		Badge: m.Badge, Other: m.Other, Revision: m.Revision}, err
}

// Folders implements Reader.
func (d *HTTPDoor) Folders(ctx context.Context, acc account, _ parley.Revision) ([]parley.Folder, parley.Revision, error) {
	var l jsonList[jsonFolder]
	h, err := d.call(ctx, acc, &l, get("/folders", nil))
	return listOf(l).Items, h.revision, err
}

// Threads implements Reader.
func (d *HTTPDoor) Threads(ctx context.Context, acc account, q parley.ThreadQuery, _ parley.Revision) (parley.Listing[parley.Thread], error) {
	v := page(url.Values{}, q.Page)
	if q.Folder != "" {
		v.Set("folder", string(q.Folder))
	}
	if q.Kind != "" {
		v.Set("kind", string(q.Kind))
	}
	if q.Unread != nil {
		v.Set("unread", strconv.FormatBool(*q.Unread))
	}
	var l jsonList[jsonThread]
	_, err := d.call(ctx, acc, &l, get("/threads", v))
	return listOf(l), err
}

// Thread implements Reader.
func (d *HTTPDoor) Thread(ctx context.Context, acc account, id parley.ThreadID, _ parley.Revision) (parley.Thread, parley.Revision, error) {
	var t jsonThread
	h, err := d.call(ctx, acc, &t, get(roomPath(id, ""), nil))
	return t.noun(), h.revision, err
}

// Messages implements Reader.
func (d *HTTPDoor) Messages(ctx context.Context, acc account, id parley.ThreadID, _ parley.MessageID, p parley.Page, _ parley.Revision) (parley.Listing[parley.Message], error) {
	var l jsonList[jsonMessage]
	_, err := d.call(ctx, acc, &l, get(roomPath(id, "/messages"), page(url.Values{}, p)))
	return listOf(l), err
}

// Message implements Reader.
func (d *HTTPDoor) Message(ctx context.Context, acc account, id parley.MessageID, _ parley.Revision) (parley.Message, parley.Revision, error) {
	var m jsonMessage
	h, err := d.call(ctx, acc, &m, get("/messages/"+string(id), nil))
	return m.noun(), h.revision, err
}
