package torture

import (
	"context"
	"io"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/client"
)

type account = parley.AccountID

// key finds the key again that a command was made from: clients send keys, and the
// server makes the commands.
func (d *HTTPDoor) key(cmd parley.Command) client.Option {
	if cmd.ID.IsZero() {
		return client.Unkeyed()
	}
	return client.Key(d.Keys(cmd.ID))
}

// CreateRoom implements Door.
func (d *HTTPDoor) CreateRoom(ctx context.Context, acc account, cmd parley.Command, n parley.NewRoom) (parley.Thread, parley.Revision, bool, error) {
	body := client.NewRoom{Subject: n.Subject, History: client.History(n.History), Open: n.Open}
	for _, r := range n.To {
		body.To = append(body.To, client.Recipient{Account: client.AccountID(r.Account)})
	}
	if n.First != nil {
		body.Message = &client.FirstPost{Text: n.First.Text}
	}
	room, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Room, error) {
		return c.CreateRoom(ctx, body, d.key(cmd), keep)
	})
	return roomNoun(room), h.revision, h.replayed, err
}

// Post implements Door.
func (d *HTTPDoor) Post(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID, p parley.Post) (parley.Posted, error) {
	body := client.Post{
		Text: p.Text, ReplyTo: client.MessageID(p.ReplyTo), Mentions: like[client.ParticipantID](p.Mentions),
		Attachments: like[client.BlobID](p.Attachments),
	}
	m, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Message, error) {
		return c.PostMessage(ctx, client.ThreadID(room), body, d.key(cmd), keep)
	})
	if err != nil {
		return parley.Posted{}, err
	}
	return parley.Posted{Message: messageNoun(*m), Revision: h.revision, Replayed: h.replayed}, nil
}

// Join implements Door.
func (d *HTTPDoor) Join(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID) (parley.Thread, parley.Revision, bool, error) {
	r, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Room, error) {
		return c.JoinRoom(ctx, client.ThreadID(room), d.key(cmd), keep)
	})
	return roomNoun(r), h.revision, h.replayed, err
}

// Leave implements Door.
func (d *HTTPDoor) Leave(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID) (parley.Revision, bool, error) {
	h, err := done(d, acc, func(c *client.Client, keep client.Option) error {
		return c.LeaveRoom(ctx, client.ThreadID(room), d.key(cmd), keep)
	})
	return h.revision, h.replayed, err
}

// AddParticipant implements Door.
func (d *HTTPDoor) AddParticipant(ctx context.Context, acc account, cmd parley.Command, room parley.ThreadID, r parley.Recipient) (parley.Participant, parley.Revision, bool, error) {
	p, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Participant, error) {
		return c.AddParticipant(ctx, client.ThreadID(room), client.NewParticipant{Account: client.AccountID(r.Account)}, d.key(cmd), keep)
	})
	if err != nil {
		return parley.Participant{}, 0, false, err
	}
	return participantNoun(*p), h.revision, h.replayed, nil
}

// ChangeMessages implements Door, for one message.
func (d *HTTPDoor) ChangeMessages(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, ids []parley.MessageID, c parley.Change) (parley.Revision, bool, error) {
	body := client.MessageChange{
		Seen: c.Seen, Flagged: c.Flagged, Folders: like[client.FolderID](c.Folders), AddFolders: like[client.FolderID](c.Add),
		RemoveFolders: like[client.FolderID](c.Remove),
	}
	_, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Message, error) {
		return c.UpdateMessage(ctx, client.MessageID(ids[0]), body, d.key(cmd), keep)
	})
	return h.revision, h.replayed, err
}

// ChangeThread implements Door.
func (d *HTTPDoor) ChangeThread(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, id parley.ThreadID, c parley.ThreadChange) (parley.Outcome, error) {
	body := client.ThreadChange{
		Read: c.Seen, Flagged: c.Flagged, Folders: like[client.FolderID](c.Folders), AddFolders: like[client.FolderID](c.Add),
		RemoveFolders: like[client.FolderID](c.Remove), Archived: c.Archived, Muted: c.Muted, Subject: c.Subject,
	}
	_, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.UpdateThreadAnswer, error) {
		return c.UpdateThread(ctx, client.ThreadID(id), body, d.key(cmd), keep)
	})
	return parley.Outcome{Revision: h.revision, Replayed: h.replayed}, err
}

// DeleteMessage implements Door.
func (d *HTTPDoor) DeleteMessage(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, id parley.MessageID) (parley.Revision, bool, error) {
	h, err := done(d, acc, func(c *client.Client, keep client.Option) error {
		return c.DeleteMessage(ctx, client.MessageID(id), d.key(cmd), keep)
	})
	return h.revision, h.replayed, err
}

// DeleteThread implements Door.
func (d *HTTPDoor) DeleteThread(ctx context.Context, acc account, cmd parley.Command, _ parley.Revision, id parley.ThreadID) (parley.Outcome, error) {
	_, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Job, error) {
		return c.DeleteThread(ctx, client.ThreadID(id), d.key(cmd), keep)
	})
	return parley.Outcome{Revision: h.revision, Replayed: h.replayed}, err
}

// RestoreThread implements Door.
func (d *HTTPDoor) RestoreThread(ctx context.Context, acc account, cmd parley.Command, id parley.ThreadID) (parley.Outcome, error) {
	_, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.RestoreThreadAnswer, error) {
		return c.RestoreThread(ctx, client.ThreadID(id), d.key(cmd), keep)
	})
	return parley.Outcome{Revision: h.revision, Replayed: h.replayed}, err
}

// Upload implements Door.
func (d *HTTPDoor) Upload(ctx context.Context, acc account, cmd parley.Command, name, kind string, r io.Reader) (parley.Attachment, bool, error) {
	a, h, err := call(d, acc, func(c *client.Client, keep client.Option) (*client.Attachment, error) {
		return c.UploadBlob(ctx, r, client.UploadBlobParams{Name: name}, client.ContentType(kind), d.key(cmd), keep)
	})
	if err != nil {
		return parley.Attachment{}, false, err
	}
	return attachmentNoun(*a), h.replayed, nil
}
