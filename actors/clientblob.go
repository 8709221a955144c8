package actors

import (
	"bytes"
	"context"
	"io"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/mail"
)

// Content is an open blob or message part.
type Content struct {
	Attachment parley.Attachment // size is exact
	io.ReaderAt
	io.Closer
}

// Upload makes bytes durable and the account's to open and to attach.
func (c *Client) Upload(ctx context.Context, acc parley.AccountID, cmd parley.Command, name, contentType string, r io.Reader) (parley.Attachment, bool, error) {
	ref, err := c.n.blobs.Put(ctx, r)
	if err != nil {
		return parley.Attachment{}, false, err
	}
	id := c.n.cfg.Secret.Blob(acc, ref.Digest)
	// The same request with other bytes is another request under its key.
	cmd.Body = parley.Digest(mail.Digest(append(cmd.Body[:], ref.Digest[:]...)))
	b := mailbox.Blob{Digest: ref.Digest, Name: name, Type: contentType, Bytes: ref.Size, At: c.n.cfg.Now().UnixMicro()}
	rep, err := askMailbox[mailbox.Reply](ctx, c, acc, mailbox.Upload{Cmd: cmd, ID: id, Blob: b}, 0)
	return parley.Attachment{Blob: id, Name: name, Type: contentType, Size: ref.Size}, rep.Replayed, err
}

// OpenBlob opens an upload of the account's, or an attachment in its copy.
func (c *Client) OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (Content, error) {
	at, err := askMailbox[mailbox.Bytes](ctx, c, acc, mailbox.AskBlob{ID: id}, 0)
	if err != nil {
		return Content{}, err
	}
	src, size, closer, err := c.source(ctx, at)
	if err != nil {
		return Content{}, err
	}
	if at.Path == "" {
		at.Attachment.Size = size
		return Content{at.Attachment, src, closer}, nil
	}
	defer closer.Close()
	raw, err := part(src, size, at.Path)
	if err != nil {
		return Content{}, parley.Wrap(parley.Internal, "actors.blob", err)
	}
	at.Attachment.Size = int64(len(raw))
	return Content{at.Attachment, bytes.NewReader(raw), io.NopCloser(nil)}, nil
}

// source opens the bytes that a mailbox pointed to.
func (c *Client) source(ctx context.Context, at mailbox.Bytes) (io.ReaderAt, int64, io.Closer, error) {
	if at.Blob.IsZero() {
		return bytes.NewReader(at.Raw), int64(len(at.Raw)), io.NopCloser(nil), nil
	}
	b, err := c.n.blobs.Open(ctx, at.Blob)
	if err != nil {
		return nil, 0, nil, err
	}
	return b, b.Size(), b, nil
}

// part decodes one part of a raw mail.
func part(src io.ReaderAt, size int64, path string) ([]byte, error) {
	m, err := mail.ParseAt(src, size)
	if err != nil {
		return nil, err
	}
	for _, p := range m.Attachments {
		if p.Path == path {
			return io.ReadAll(p.Decode(src))
		}
	}
	return nil, parley.E(parley.NotFound, "actors.part", "there is no such part")
}

// attach turns a blob that the account may open into an attachment of a post.
func (c *Client) attach(ctx context.Context, acc parley.AccountID, id parley.BlobID) (thread.Attachment, error) {
	at, err := askMailbox[mailbox.Bytes](ctx, c, acc, mailbox.AskBlob{ID: id}, 0)
	if parley.CodeOf(err) == parley.NotFound {
		return thread.Attachment{}, &parley.Error{Code: parley.BadRequest, Op: "actors.attach", Public: "there is no such blob", Field: "attachments"}
	}
	if err != nil {
		return thread.Attachment{}, err
	}
	out := thread.Attachment{Blob: at.Blob, Size: at.Attachment.Size, Name: at.Attachment.Name, Type: at.Attachment.Type, Inline: at.Attachment.Inline, CID: at.Attachment.CID}
	if at.Path == "" && !at.Blob.IsZero() {
		return out, c.renew(ctx, at.Blob)
	}
	content, err := c.OpenBlob(ctx, acc, id)
	if err != nil {
		return out, err
	}
	defer content.Close()
	ref, err := c.n.blobs.Put(ctx, io.NewSectionReader(content, 0, content.Attachment.Size))
	out.Blob, out.Size = ref.Digest, ref.Size
	return out, err
}

// Raw opens a message's raw mail, or the text of a post.
func (c *Client) Raw(ctx context.Context, acc parley.AccountID, id parley.MessageID) (io.ReadCloser, int64, error) {
	at, err := askMailbox[mailbox.Bytes](ctx, c, acc, mailbox.AskBody{ID: id}, 0)
	if err != nil {
		return nil, 0, err
	}
	if !at.Mail {
		return nil, 0, parley.E(parley.NotFound, "actors.raw", "this message did not come by mail")
	}
	src, size, closer, err := c.source(ctx, at)
	if err != nil {
		return nil, 0, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(src, 0, size), closer}, size, nil
}
