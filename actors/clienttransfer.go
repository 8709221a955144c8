package actors

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/mail/portable"
)

// StartImport begins an import of an archive that the account may open. What is no
// archive is refused at once.
func (c *Client) StartImport(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewImport) (parley.Outcome, error) {
	t := mailbox.Transfer{Folder: n.Folder, Blob: n.Blob}
	at, err := c.attach(ctx, acc, n.Blob)
	if code := parley.CodeOf(err); err != nil && code != parley.BadRequest && code != parley.NotFound {
		return parley.Outcome{}, err
	} else if err == nil { // else a repeat is answered, and anything else refused
		t.Digest, t.Name, t.Type, t.Bytes = at.Blob, at.Name, at.Type, at.Size
		err = c.archive(ctx, t)
	}
	if parley.CodeOf(err) == parley.BadContent {
		t.Digest = parley.Digest{}
		o, unknown := c.startTransfer(ctx, acc, cmd, parley.JobImport, t)
		if parley.CodeOf(unknown) == parley.NotFound {
			unknown = &parley.Error{Code: parley.BadContent, Op: "actors.import", Public: portable.ErrNoArchive.Public, Field: "blob", Err: err}
		}
		return o, unknown
	}
	if t.Digest.IsZero() {
		err = nil
	}
	if err != nil {
		return parley.Outcome{}, err
	}
	return c.startTransfer(ctx, acc, cmd, parley.JobImport, t)
}

// archive looks whether the bytes are one.
func (c *Client) archive(ctx context.Context, t mailbox.Transfer) error {
	b, err := c.n.blobs.Open(ctx, t.Digest)
	if err != nil {
		return err
	}
	defer b.Close()
	_, err = portable.Archive(b, b.Size(), t.Name)
	return err
}

// StartExport begins an export.
func (c *Client) StartExport(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewExport) (parley.Outcome, error) {
	return c.startTransfer(ctx, acc, cmd, parley.JobExport, mailbox.Transfer{Folder: n.Folder, Format: n.Format})
}

func (c *Client) startTransfer(ctx context.Context, acc parley.AccountID, cmd parley.Command, kind parley.JobKind, t mailbox.Transfer) (parley.Outcome, error) {
	cmd = c.named(cmd)
	return c.bulk(ctx, acc, mailbox.StartTransfer{Cmd: cmd, Job: c.job(cmd), Kind: kind, Transfer: t})
}
