package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// job is the id of the job that a named command may become.
func (c *Client) job(cmd parley.Command) parley.JobID { return c.n.cfg.Secret.Job(cmd.ID) }

// bulk sends a command that may become a job.
func (c *Client) bulk(ctx context.Context, acc parley.AccountID, cmd any) (parley.Outcome, error) {
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, cmd, 0)
	return parley.Outcome{Revision: r.Revision, Replayed: r.Replayed, Job: r.Job, Tally: r.Tally}, err
}

// ChangeMany sets folders and keywords of as many as parley.MaxListed messages.
// Those that are not here, or were changed after ifMatch, are counted and left.
func (c *Client) ChangeMany(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, ids []parley.MessageID, ch parley.Change) (parley.Outcome, error) {
	cmd = c.named(cmd)
	return c.bulk(ctx, acc, mailbox.ChangeMany{Cmd: cmd, Job: c.job(cmd), IfMatch: ifMatch, Messages: ids, Change: ch})
}

// ReadFolder marks all that is unread in a folder read.
func (c *Client) ReadFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, f parley.FolderID) (parley.Outcome, error) {
	cmd = c.named(cmd)
	return c.bulk(ctx, acc, mailbox.ReadFolder{Cmd: cmd, Job: c.job(cmd), Folder: f})
}

// Job reads one job.
func (c *Client) Job(ctx context.Context, acc parley.AccountID, id parley.JobID, atLeast parley.Revision) (parley.Job, parley.Revision, error) {
	j, err := askMailbox[mailbox.OneJob](ctx, c, acc, mailbox.AskJob{ID: id}, atLeast)
	return j.Job, j.Revision, err
}

// Jobs lists jobs, newest first.
func (c *Client) Jobs(ctx context.Context, acc parley.AccountID, p parley.Page, atLeast parley.Revision) (parley.Listing[parley.Job], error) {
	return askMailbox[parley.Listing[parley.Job]](ctx, c, acc, mailbox.AskJobs{Page: p}, atLeast)
}

// CancelJob ends a job where it is; what was done stays.
func (c *Client) CancelJob(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.JobID) (parley.Revision, bool, error) {
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.CancelJob{Cmd: c.keyed(cmd, ifMatch), IfMatch: ifMatch, Job: id}, 0)
	return r.Revision, r.Replayed, err
}
