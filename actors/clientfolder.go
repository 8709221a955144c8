package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// Folder reads one folder.
func (c *Client) Folder(ctx context.Context, acc parley.AccountID, id parley.FolderID, atLeast parley.Revision) (parley.Folder, parley.Revision, error) {
	all, rev, err := c.Folders(ctx, acc, atLeast)
	if err != nil {
		return parley.Folder{}, 0, err
	}
	for _, f := range all {
		if f.ID == id {
			return f, rev, nil
		}
	}
	return parley.Folder{}, rev, parley.E(parley.NotFound, "actors.folder", "there is no such folder")
}

// CreateFolder makes a folder or label.
func (c *Client) CreateFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewFolder) (parley.FolderID, parley.Revision, bool, error) {
	cmd = c.named(cmd)
	id := c.n.cfg.Secret.Folder(cmd.ID, string(acc), n.Label)
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.CreateFolder{Cmd: cmd, ID: id, Name: n.Name, Parent: n.Parent, Color: n.Color}, 0)
	return r.Folder, r.Revision, r.Replayed, err
}

// ChangeFolder renames, moves or colours a folder.
func (c *Client) ChangeFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.FolderID, ch parley.FolderChange) (parley.Revision, bool, error) {
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.ChangeFolder{Cmd: c.keyed(cmd, ifMatch), IfMatch: ifMatch, ID: id, Change: ch}, 0)
	return r.Revision, r.Replayed, err
}

// DeleteFolder deletes a folder; left says what becomes of its messages.
func (c *Client) DeleteFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.FolderID, left parley.Leaving) (parley.Revision, bool, error) {
	cmd = c.named(cmd) // a repeat of what is done would find nothing
	r, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.DeleteFolder{Cmd: cmd, IfMatch: ifMatch, ID: id, Messages: left}, 0)
	return r.Revision, r.Replayed, err
}
