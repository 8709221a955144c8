package torture

import (
	"context"
	"io"
	"net/url"
	"strconv"

	"github.com/parley-im/parley"
)

type (
	account = parley.AccountID
	object  = map[string]any
)

// key finds the key again that a command was made from: clients send keys, and the
// server makes the commands.
func (d *HTTPDoor) key(cmd parley.Command) string {
	if cmd.ID.IsZero() {
		return ""
	}
	return d.Keys(cmd.ID)
}

func roomPath(id parley.ThreadID, rest string) string { return "/threads/" + string(id) + rest }

func page(q url.Values, p parley.Page) url.Values {
	for name, v := range map[string]string{"after": p.After, "before": p.Before} {
		if v != "" {
			q.Set(name, v)
		}
	}
	if p.End {
		q.Set("before", "end")
	}
	if p.Limit > 0 {
		q.Set("limit", strconv.Itoa(p.Limit))
	}
	return q
}

// CreateRoom implements Door.
func (d *HTTPDoor) CreateRoom(ctx context.Context, acc account, cmd parley.Command, n parley.NewRoom) (parley.Thread, parley.Revision, bool, error) {
	body := object{"subject": n.Subject, "history": n.History, "open": n.Open}
	var to []object
	for _, r := range n.To {
		to = append(to, object{"account": r.Account})
	}
	if body["to"] = to; n.First != nil {
		body["message"] = object{"text": n.First.Text}
	}
	var t jsonThread
	h, err := d.call(ctx, acc, &t, request{method: "POST", path: "/threads", key: d.key(cmd), body: body})
	return t.noun(), h.revision, h.replayed, err
}

// Post implements Door.
func (d *HTTPDoor) Post(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID, p parley.Post) (parley.Posted, error) {
	body := object{"text": p.Text}
	if len(p.Attachments) > 0 {
		body["attachments"] = p.Attachments
	}
	if p.ReplyTo != "" {
		body["reply_to"] = p.ReplyTo
	}
	if len(p.Mentions) > 0 {
		body["mentions"] = p.Mentions
	}
	var m jsonMessage
	h, err := d.call(ctx, acc, &m, request{method: "POST", path: roomPath(room, "/messages"), key: d.key(cmd), body: body})
	return parley.Posted{Message: m.noun(), Revision: h.revision, Replayed: h.replayed}, err
}

// Join implements Door.
func (d *HTTPDoor) Join(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID) (parley.Thread, parley.Revision, bool, error) {
	var t jsonThread
	h, err := d.call(ctx, acc, &t, request{method: "POST", path: roomPath(room, "/join"), key: d.key(cmd)})
	return t.noun(), h.revision, h.replayed, err
}

// Leave implements Door.
func (d *HTTPDoor) Leave(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID) (parley.Revision, bool, error) {
	h, err := d.do(ctx, acc, request{method: "POST", path: roomPath(room, "/leave"), key: d.key(cmd)})
	return h.revision, h.replayed, err
}

// AddParticipant implements Door.
func (d *HTTPDoor) AddParticipant(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID, r parley.Recipient) (parley.Participant, parley.Revision, bool, error) {
	var p jsonParticipant
	h, err := d.call(ctx, acc, &p, request{method: "POST", path: roomPath(room, "/participants"), key: d.key(cmd), body: object{"account": r.Account}})
	return parley.Participant{ID: p.ID, Account: p.Account, Name: p.Name, State: p.State}, h.revision, h.replayed, err
}

func fields(c parley.Change, seen string) object {
	out := object{}
	if c.Seen != nil {
		out[seen] = *c.Seen
	}
	if c.Flagged != nil {
		out["flagged"] = *c.Flagged
	}
	for name, list := range map[string][]parley.FolderID{"folders": c.Folders, "add_folders": c.Add, "remove_folders": c.Remove} {
		if list != nil {
			out[name] = list
		}
	}
	return out
}

// ChangeMessages implements Door, for one message.
func (d *HTTPDoor) ChangeMessages(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, ids []parley.MessageID, c parley.Change) (parley.Revision, bool, error) {
	h, err := d.do(ctx, acc, request{method: "PATCH", path: "/messages/" + string(ids[0]), key: d.key(cmd), body: fields(c, "seen")})
	return h.revision, h.replayed, err
}

// ChangeThread implements Door.
func (d *HTTPDoor) ChangeThread(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, id parley.ThreadID, c parley.ThreadChange) (parley.Revision, bool, error) {
	body := fields(c.Change, "read")
	if c.Archived != nil {
		body["archived"] = *c.Archived
	}
	if c.Muted != nil {
		body["muted"] = *c.Muted
	}
	if c.Subject != nil {
		body["subject"] = *c.Subject
	}
	h, err := d.do(ctx, acc, request{method: "PATCH", path: roomPath(id, ""), key: d.key(cmd), body: body})
	return h.revision, h.replayed, err
}

// DeleteMessage implements Door.
func (d *HTTPDoor) DeleteMessage(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, id parley.MessageID) (parley.Revision, bool, error) {
	h, err := d.do(ctx, acc, request{method: "DELETE", path: "/messages/" + string(id), key: d.key(cmd)})
	return h.revision, h.replayed, err
}

// DeleteThread implements Door.
func (d *HTTPDoor) DeleteThread(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, id parley.ThreadID) (parley.Revision, bool, error) {
	h, err := d.do(ctx, acc, request{method: "DELETE", path: roomPath(id, ""), key: d.key(cmd)})
	return h.revision, h.replayed, err
}

// RestoreThread implements Door.
func (d *HTTPDoor) RestoreThread(ctx context.Context, acc account, cmd parley.Command, id parley.ThreadID) (parley.Revision, bool, error) {
	h, err := d.do(ctx, acc, request{method: "POST", path: roomPath(id, "/restore"), key: d.key(cmd)})
	return h.revision, h.replayed, err
}

// Upload implements Door.
func (d *HTTPDoor) Upload(ctx context.Context, acc account, cmd parley.Command, name, _ string, r io.Reader) (parley.Attachment, bool, error) {
	var a jsonAttachment
	h, err := d.call(ctx, acc, &a, request{method: "POST", path: "/blobs", query: url.Values{"name": {name}}, key: d.key(cmd), body: r})
	return parley.Attachment{Blob: a.Blob, Name: a.Name, Size: a.Size}, h.replayed, err
}
