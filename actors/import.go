package actors

import (
	"bytes"
	"context"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/mail/portable"
)

// Import files a letter from elsewhere; to is the address that it came for. One
// that is here already is not added again.
func (c *Client) Import(ctx context.Context, acc parley.AccountID, l portable.Letter, to string) (added bool, id parley.MessageID, err error) {
	owner, err := c.n.cfg.Accounts.Get(ctx, acc)
	if err != nil {
		return false, "", err
	}
	cmd, err := c.letter(ctx, owner, l, to)
	if err != nil {
		return false, "", err
	}
	rep, err := c.deliverMail(ctx, acc, cmd)
	if err != nil || len(rep.Messages) == 0 {
		return false, "", err
	}
	return rep.Messages[0] == cmd.Message.ID && !rep.Replayed && rep.Filed, rep.Messages[0], nil
}

// letter reads a letter, and makes it the command that files it. One that is older
// than the account is born read, unless it is stated to be unread.
func (c *Client) letter(ctx context.Context, owner parley.Account, l portable.Letter, to string) (cmd mailbox.DeliverMail, err error) {
	if len(l.Raw) > portable.MaxLetter {
		return cmd, parley.E(parley.TooLarge, "actors.import", fmt.Sprintf("it has more than %d MiB", portable.MaxLetter>>20))
	}
	a, err := c.receive(ctx, bytes.NewReader(l.Raw))
	if err != nil {
		return cmd, err
	}
	env := parley.Arrival{At: l.At, Channel: parley.ChannelImport, From: l.From, To: to}
	if env.At.IsZero() {
		env.At = a.m.Date
	}
	if env.At.IsZero() {
		env.At = owner.CreatedAt
	}
	cmd = c.command(owner.ID, a, env)
	cmd.Import, cmd.Folders, cmd.Keywords, cmd.KeyLife = true, l.Folders, l.Keywords, 0
	cmd.BornRead = !l.Unread() && env.At.Before(owner.CreatedAt)
	if from := cmd.Message.Author.Address; from != "" {
		who, err := c.n.cfg.Accounts.Resolve(ctx, from)
		cmd.Message.Own = err == nil && who == owner.ID
	}
	return cmd, nil
}

// FolderFor finds the folder of one's own of a name and place, or makes it.
func (c *Client) FolderFor(ctx context.Context, acc parley.AccountID, f portable.OwnFolder, above parley.FolderID) (parley.FolderID, error) {
	have, _, err := c.Folders(ctx, acc, 0)
	if err != nil {
		return "", err
	}
	for _, h := range have {
		if h.Parent == above && h.Name == f.Name && h.ID.IsLabel() == f.ID.IsLabel() && !h.ID.IsFixed() {
			return h.ID, nil
		}
	}
	id, _, _, err := c.CreateFolder(ctx, acc, parley.Command{}, parley.NewFolder{Name: f.Name, Parent: above, Label: f.ID.IsLabel(), Color: f.Color})
	return id, err
}
