package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// sending is the command with which a draft goes to its room: always the same one,
// so that no repeat posts it twice, whoever makes it.
func (c *Client) sending(acc parley.AccountID, id parley.MessageID) parley.Command {
	return parley.Command{ID: parley.CommandID(c.n.cfg.Secret.Derive("send", string(acc), string(id)))}
}

// SendDraft posts a draft, and makes its room first where it has none. That it is
// being sent is durable before it leaves, so that it is finished by the mailbox if
// this call is cut off. The message that the room delivers takes the draft's
// place, under its id.
func (c *Client) SendDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Posted, error) {
	rep, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.SendDraft{Cmd: c.keyed(cmd, ifMatch), IfMatch: ifMatch, ID: id}, 0)
	switch {
	case err != nil:
		return parley.Posted{}, err
	case rep.Replayed:
		return c.sent(ctx, acc, id)
	}
	posted, err := c.dispatch(ctx, acc, id)
	posted.Replayed = false // to this key it is the first answer, whoever made the post
	return posted, err
}

// sent is the answer to a draft that has gone: the message that it became.
func (c *Client) sent(ctx context.Context, acc parley.AccountID, id parley.MessageID) (parley.Posted, error) {
	m, rev, err := c.Message(ctx, acc, id, 0)
	if parley.CodeOf(err) == parley.NotFound {
		return parley.Posted{Message: parley.Message{ID: id, Gone: true}, Replayed: true}, nil
	}
	return parley.Posted{Message: m, Revision: rev, Replayed: true}, err
}

// dispatch brings a draft that is being sent to its room. A refusal gives the
// draft back to its author; of any other failure nobody knows whether the post
// was made, and the draft goes on being sent.
func (c *Client) dispatch(ctx context.Context, acc parley.AccountID, id parley.MessageID) (parley.Posted, error) {
	d, _, err := c.Draft(ctx, acc, id, 0)
	switch {
	case parley.CodeOf(err) == parley.NotFound:
		return c.sent(ctx, acc, id)
	case err != nil:
		return parley.Posted{}, err
	case d.Sending.IsZero():
		return parley.Posted{}, parley.E(parley.Unavailable, "actors.send", "this was refused meanwhile; try again")
	}
	posted, err := c.leave(ctx, acc, d)
	if refused(err) {
		if _, kept := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.KeepDraft{ID: id}, 0); kept != nil {
			return posted, kept // it is still being sent: the mailbox will hear the refusal
		}
	}
	return posted, err
}

// leave posts what the draft says.
func (c *Client) leave(ctx context.Context, acc parley.AccountID, d parley.DraftMessage) (parley.Posted, error) {
	cmd := c.sending(acc, d.ID)
	cmd.First = d.Sending
	p := parley.Post{Text: d.Text, ReplyTo: d.ReplyTo, Mentions: d.Mentions, RosterVersion: d.RosterVersion}
	for _, at := range d.Attachments {
		p.Attachments = append(p.Attachments, at.Blob)
	}
	if !d.Alone {
		return c.postAs(ctx, acc, cmd, d.Thread, d.ID, p)
	}
	p.RosterVersion = 0
	rep, rev, err := c.makeRoom(ctx, acc, cmd, d.ID, parley.NewRoom{To: d.To, Subject: d.Subject, First: &p})
	if err != nil {
		return parley.Posted{}, err
	}
	return c.postedAs(ctx, acc, d.Thread, rep, rev, p), nil
}

// refused reports an error that says: nothing was done, and a repeat would hear
// the same.
func refused(err error) bool {
	switch parley.CodeOf(err) {
	case parley.ParticipantsChanged, parley.NotFound, parley.NotPermitted, parley.Blocked, parley.BadRequest, parley.BadAddress,
		parley.BadContent, parley.TooLarge, parley.TooManyRecipients, parley.Gone, parley.Conflict, parley.Expired, parley.OverQuota:
		return true
	}
	return false
}
