package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/mail/portable"
)

// Bounds of imports and exports.
const (
	transfersAtOnce = 4         // of a node; each may hold one message of portable.MaxLetter
	letterBatch     = 16        // letters of a part of an import
	letterBytes     = 256 << 10 // raw bytes of a part, beyond which it is handed in
)

// transfer runs one import or export from where it is, once it has a place.
func (c *Client) transfer(ctx context.Context, acc parley.AccountID, j mailbox.Job, part handIn) error {
	select {
	case c.n.moving <- struct{}{}:
		defer func() { <-c.n.moving }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if j.Kind == parley.JobExport {
		return c.export(ctx, acc, j, part)
	}
	return c.importAll(ctx, acc, j, part)
}

// importing is one run of an import.
type importing struct {
	c     *Client
	ctx   context.Context
	owner parley.Account
	quota int64
	hand  handIn
	p     mailbox.TransferPart // the next part
	bytes int
}

// importAll reads the archive from the first message that is not dealt with.
func (c *Client) importAll(ctx context.Context, acc parley.AccountID, j mailbox.Job, hand handIn) error {
	owner, err := c.n.cfg.Accounts.Get(ctx, acc)
	if err != nil {
		return err
	}
	in, err := c.n.blobs.Open(ctx, j.Transfer.Digest)
	if err != nil {
		return err
	}
	defer in.Close()
	src, err := portable.Archive(in, in.Size(), j.Transfer.Name)
	if err != nil {
		return err
	}
	total := j.Total
	if total == 0 {
		if total, err = src.Count(); err != nil {
			return err
		}
	}
	i := &importing{c: c, ctx: ctx, owner: owner, quota: c.quota(owner), hand: hand, p: mailbox.TransferPart{Job: j.ID, From: j.Done, To: j.Done, Total: total}}
	if err := i.handIn(""); err != nil { // it runs, and how much there is to do
		return err
	}
	to := j.Transfer.Folder
	if to == "" {
		to = parley.Inbox
	}
	r := &portable.Reader{Folder: to, From: j.Done, Take: i.take, Own: func(f portable.OwnFolder, above parley.FolderID) (parley.FolderID, error) {
		return c.FolderFor(ctx, acc, f, above)
	}}
	if err := r.Read(src); err != nil {
		return noMail(err)
	}
	i.p.Skipped = int64(r.Special)
	return i.handIn(parley.JobDone)
}

// noMail says in words of the owner that there is nothing to import.
func noMail(err error) error {
	if err == portable.ErrNothing {
		return parley.E(parley.BadContent, "actors.import", "there is no mail in it")
	}
	return err
}

// take adds a letter to the part, and hands it in when it is large enough.
func (i *importing) take(l portable.Letter) error {
	if err := i.ctx.Err(); err != nil {
		return err
	}
	i.p.To = l.N
	if len(l.Raw) == 0 || len(l.Raw) > portable.MaxLetter {
		i.p.Refused++
		return nil
	}
	cmd, err := i.c.letter(i.ctx, i.owner, l, "")
	if err != nil {
		return err
	}
	cmd.Quota = i.quota
	i.p.Letters, i.bytes = append(i.p.Letters, mailbox.Letter{N: l.N, Mail: cmd}), i.bytes+len(cmd.Raw)
	if len(i.p.Letters) < letterBatch && i.bytes < letterBytes {
		return nil
	}
	return i.handIn("")
}

// handIn hands the part in. If one of several letters cannot be decided about, each
// is tried by itself: then that one is stored unread.
func (i *importing) handIn(end parley.JobState) error {
	i.p.State = end
	err := i.hand(i.ctx, i.p)
	if parley.CodeOf(err) == parley.Internal && err != nil && i.ctx.Err() == nil && len(i.p.Letters) > 1 {
		err = i.oneByOne()
	}
	i.p.From, i.p.Letters, i.p.Refused, i.p.Skipped, i.bytes = i.p.To, nil, 0, 0, 0
	return err
}

func (i *importing) oneByOne() error {
	p := i.p
	for n, l := range i.p.Letters {
		p.Letters, p.To, p.State = []mailbox.Letter{l}, l.N, ""
		if n == len(i.p.Letters)-1 {
			p.To, p.State = i.p.To, i.p.State
		}
		if err := i.hand(i.ctx, p); err != nil {
			return err
		}
		p.From, p.Refused, p.Skipped = p.To, 0, 0
	}
	return nil
}
