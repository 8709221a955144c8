package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/cluster"
)

// Stats are the figures of a mailbox.
func (c *Client) Stats(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) (parley.Stats, error) {
	return askMailbox[parley.Stats](ctx, c, acc, mailbox.AskStats{}, atLeast)
}

// Folders are the folders with their counts.
func (c *Client) Folders(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) ([]parley.Folder, parley.Revision, error) {
	f, err := askMailbox[mailbox.Folders](ctx, c, acc, mailbox.AskFolders{}, atLeast)
	return f.Folders, f.Revision, err
}

// Threads lists threads, newest first. A participant is an account, or an
// address: one that belongs to an account here finds that account too.
func (c *Client) Threads(ctx context.Context, acc parley.AccountID, q parley.ThreadQuery, atLeast parley.Revision) (parley.Listing[parley.Thread], error) {
	cmd := mailbox.AskThreads{Query: q}
	if q.Participant != "" {
		cmd.People = []mailbox.Hash{mailbox.PersonHash(q.Participant)}
		if id, err := c.n.cfg.Accounts.Resolve(ctx, q.Participant); err == nil {
			cmd.People = append(cmd.People, mailbox.PersonHash(string(id)))
		}
		if parley.AccountID(q.Participant).Valid() {
			if a, err := c.n.cfg.Accounts.Get(ctx, parley.AccountID(q.Participant)); err == nil {
				for _, addr := range a.Addresses {
					cmd.People = append(cmd.People, mailbox.PersonHash(addr))
				}
			}
		}
	}
	return askMailbox[parley.Listing[parley.Thread]](ctx, c, acc, cmd, atLeast)
}

// Thread reads one thread.
func (c *Client) Thread(ctx context.Context, acc parley.AccountID, id parley.ThreadID, atLeast parley.Revision) (parley.Thread, parley.Revision, error) {
	t, err := askMailbox[mailbox.OneThread](ctx, c, acc, mailbox.AskThread{ID: id}, atLeast)
	return t.Thread, t.Revision, err
}

// Messages lists a thread's messages, oldest first, with their texts.
func (c *Client) Messages(ctx context.Context, acc parley.AccountID, thread parley.ThreadID, around parley.MessageID, p parley.Page, atLeast parley.Revision) (parley.Listing[parley.Message], error) {
	return askMailbox[parley.Listing[parley.Message]](ctx, c, acc, mailbox.AskMessages{Thread: thread, Around: around, Page: p, Notices: p.Notices}, atLeast)
}

// Message reads one message.
func (c *Client) Message(ctx context.Context, acc parley.AccountID, id parley.MessageID, atLeast parley.Revision) (parley.Message, parley.Revision, error) {
	m, err := askMailbox[mailbox.OneMessage](ctx, c, acc, mailbox.AskMessage{ID: id}, atLeast)
	return m.Message, m.Revision, err
}

// Explain says why a message is in its thread and folders.
func (c *Client) Explain(ctx context.Context, acc parley.AccountID, id parley.MessageID) (parley.Explanation, error) {
	m, err := askMailbox[mailbox.OneMessage](ctx, c, acc, mailbox.AskPlace{ID: id}, 0)
	return m.Explanation, err
}

// ChangeMessages sets folders and keywords of messages.
func (c *Client) ChangeMessages(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, ch parley.Change) (parley.Revision, bool, error) {
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.ChangeMessages{Cmd: c.keyed(cmd, ifMatch), IfMatch: ifMatch, Messages: ids, Change: ch}, 0)
	return r.Revision, r.Replayed, err
}

// DeleteMessage moves a message to Trash, or purges it from there.
func (c *Client) DeleteMessage(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.MessageID) (parley.Revision, bool, error) {
	cmd = c.named(cmd) // a repeat must not purge what the first attempt put into Trash
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.DeleteMessage{Cmd: cmd, IfMatch: ifMatch, Message: id}, 0)
	return r.Revision, r.Replayed, err
}

// DeleteThread moves a thread's messages to Trash, or purges them from there.
func (c *Client) DeleteThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.ThreadID) (parley.Outcome, error) {
	cmd = c.named(cmd)
	return c.bulk(ctx, acc, mailbox.ChangeThread{Cmd: cmd, Job: c.job(cmd), IfMatch: ifMatch, Thread: id, Op: mailbox.OpDelete})
}

// RestoreThread brings a thread's messages back from Trash.
func (c *Client) RestoreThread(ctx context.Context, acc parley.AccountID, cmd parley.Command, id parley.ThreadID) (parley.Outcome, error) {
	cmd = c.named(cmd)
	return c.bulk(ctx, acc, mailbox.ChangeThread{Cmd: cmd, Job: c.job(cmd), Thread: id, Op: mailbox.OpRestore})
}

// Events reads what came after an event, and waits for it up to wait.
func (c *Client) Events(ctx context.Context, acc parley.AccountID, since parley.Revision, index int, wait time.Duration, limit int) ([]parley.Event, parley.Revision, error) {
	ctx, cancel := context.WithTimeout(cluster.Patient(ctx, wait+callTime), wait+callTime)
	defer cancel()
	e, err := askMailbox[mailbox.Events](ctx, c, acc, mailbox.AskEvents{Since: since, Index: index, Wait: wait, Limit: limit}, 0)
	return e.Events, e.Head, err
}

// CloseMailbox ends a mailbox: nothing more is filed in it. Its rooms record that
// the account is gone as they next try to reach it.
func (c *Client) CloseMailbox(ctx context.Context, acc parley.AccountID) error {
	_, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.Close{}, 0)
	return err
}
