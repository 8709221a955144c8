package actors

import (
	"cmp"
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// Drafts lists drafts, the last written first, with their texts.
func (c *Client) Drafts(ctx context.Context, acc parley.AccountID, q parley.DraftQuery, atLeast parley.Revision) (parley.Listing[parley.DraftMessage], error) {
	return askMailbox[parley.Listing[parley.DraftMessage]](ctx, c, acc, mailbox.AskDrafts{Query: q}, atLeast)
}

// Draft reads one draft. One that was sent is a message and no draft any more.
func (c *Client) Draft(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (parley.DraftMessage, parley.Revision, error) {
	d, err := askMailbox[mailbox.OneDraft](ctx, c, acc, mailbox.AskDraft{ID: id}, atLeast)
	return d.Draft, d.Revision, err
}

// CreateDraft begins a draft.
func (c *Client) CreateDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewDraft) (parley.DraftMessage, parley.Revision, bool, error) {
	cmd = c.named(cmd)
	if n.Kind == "" && n.Thread == "" {
		n.Kind = parley.KindRoom
	}
	id := c.n.cfg.Secret.Message(cmd.ID, "draft of "+string(acc))
	w := mailbox.WriteDraft{Cmd: cmd, ID: id, New: true, Kind: n.Kind, Thread: n.Thread}
	w.NewThread = c.n.cfg.Secret.Thread(c.sending(acc, id).ID)
	return c.writeDraft(ctx, acc, w, n.DraftChange)
}

// ChangeDraft changes what a draft says.
func (c *Client) ChangeDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID, ch parley.DraftChange) (parley.DraftMessage, parley.Revision, bool, error) {
	return c.writeDraft(ctx, acc, mailbox.WriteDraft{Cmd: c.keyed(cmd, ifMatch), IfMatch: ifMatch, ID: id}, ch)
}

// DiscardDraft removes a draft for good.
func (c *Client) DiscardDraft(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Revision, bool, error) {
	cmd = c.named(cmd) // a repeat finds its own removal, not a draft that never was
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.DiscardDraft{Cmd: cmd, IfMatch: ifMatch, ID: id}, 0)
	return r.Revision, r.Replayed, err
}

// writeDraft prepares and gives the command, and reads the draft as it then is.
func (c *Client) writeDraft(ctx context.Context, acc parley.AccountID, w mailbox.WriteDraft, ch parley.DraftChange) (parley.DraftMessage, parley.Revision, bool, error) {
	blank := mailbox.WriteDraft{Cmd: w.Cmd, New: w.New}
	cause := c.prepareDraft(ctx, acc, &w, ch)
	if cause != nil { // what it names may be gone: a repeat finds its first answer all the same
		w = blank
	}
	rep, err := askMailbox[mailbox.Reply](ctx, c, acc, w, 0)
	if cause != nil && !rep.Replayed && parley.CodeOf(err) != parley.KeyMismatch {
		err = cause
	}
	if err != nil {
		return parley.DraftMessage{}, 0, false, err
	}
	d, rev, err := c.Draft(ctx, acc, rep.Messages[0], rep.Revision)
	if parley.CodeOf(err) == parley.NotFound {
		err = parley.E(parley.Gone, "actors.draft", "this draft was sent or removed since")
	}
	return d, rev, rep.Replayed, err
}

// prepareDraft makes the change ready for the mailbox: a long text becomes a blob,
// attachments those that the author may open.
func (c *Client) prepareDraft(ctx context.Context, acc parley.AccountID, w *mailbox.WriteDraft, ch parley.DraftChange) error {
	w.Subject, w.To, w.ReplyTo, w.Mentions, w.Roster = ch.Subject, ch.To, ch.ReplyTo, ch.Mentions, ch.RosterVersion
	owner, err := c.n.cfg.Accounts.Get(ctx, acc)
	if err != nil {
		return err
	}
	w.Quota = c.quota(owner)
	if ch.Attachments != nil {
		list := make([]mailbox.Attachment, 0, len(*ch.Attachments))
		for _, id := range *ch.Attachments {
			at, err := c.attach(ctx, acc, id)
			if err != nil {
				return err
			}
			list = append(list, c.attachmentOf(acc, at))
		}
		w.Attachments = &list
	}
	if ch.Text != nil {
		text, err := textOf(ctx, c.n.blobs, *ch.Text, thread.MaxInlineText)
		if err != nil {
			return err
		}
		w.Text = &text
	}
	return nil
}

// attachmentOf is an attachment as the copy keeps it.
func (c *Client) attachmentOf(acc parley.AccountID, at thread.Attachment) mailbox.Attachment {
	pa := parley.Attachment{Blob: c.n.cfg.Secret.Blob(acc, at.Blob), Name: at.Name, Type: at.Type, Size: at.Size, Inline: at.Inline, CID: at.CID}
	return mailbox.Attachment{Attachment: pa, Digest: at.Blob}
}

// quota is what an account may hold; 0 means no limit.
func (c *Client) quota(a parley.Account) int64 { return cmp.Or(a.Quota, c.n.cfg.Quota) }
