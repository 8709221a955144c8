package actors

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/mail/portable"
)

// exportReports is how often an export says how far it is.
const exportReports = 100

// exporting is one run of an export, which writes from the beginning.
type exporting struct {
	c    *Client
	ctx  context.Context
	acc  parley.AccountID
	j    mailbox.Job
	hand handIn
	done int64
	lost int64
}

// export streams the messages into a blob, and tells what that is.
func (c *Client) export(ctx context.Context, acc parley.AccountID, j mailbox.Job, hand handIn) error {
	e := &exporting{c: c, ctx: ctx, acc: acc, j: j, hand: hand}
	if err := e.report(); err != nil {
		return err
	}
	ref, err := e.put()
	if err != nil {
		return err
	}
	made := mailbox.Made{Blob: c.n.cfg.Secret.Blob(acc, ref.Digest), Digest: ref.Digest, Bytes: ref.Size, Name: "mail.zip", Type: "application/zip"}
	if j.Transfer.Format == parley.FormatMbox {
		made.Name, made.Type = "mail.mbox", "application/mbox"
	}
	return hand(ctx, mailbox.TransferPart{Job: j.ID, To: e.done, Lost: e.lost, State: parley.JobDone, Made: made})
}

// put runs the writer and the blob store against each other.
func (e *exporting) put() (blob.Ref, error) {
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	r, w := io.Pipe()
	failed := make(chan error, 1)
	go func() {
		_, err := safely(func() (any, error) { return nil, e.write(ctx, w) })
		w.CloseWithError(err)
		failed <- err
	}()
	ref, err := e.c.n.cfg.Blobs.Put(ctx, r)
	r.CloseWithError(errors.Join(err, context.Canceled))
	cancel()
	if wrong := <-failed; wrong != nil && err != nil && !errors.Is(wrong, context.Canceled) {
		return ref, wrong // the cause, where the store knows only that reading failed
	}
	if parley.CodeOf(err) == parley.TooLarge {
		err = parley.E(parley.TooLarge, "actors.export", "the archive is larger than this server keeps in one piece; export one folder after the other")
	}
	return ref, err
}

func (e *exporting) write(ctx context.Context, to io.Writer) error {
	if e.j.Transfer.Format != parley.FormatMbox {
		return e.zip(ctx, bufio.NewWriterSize(to, 64<<10))
	}
	return portable.Mbox(to,
		func(m parley.Message) (string, error) { return e.c.EnvelopeFrom(ctx, e.acc, m) },
		func(f func(parley.Message, io.Reader) error) error { return e.each(ctx, f) })
}

func (e *exporting) zip(ctx context.Context, out *bufio.Writer) error {
	folders, _, err := e.c.Folders(ctx, e.acc, 0)
	if err != nil {
		return err
	}
	begin, z := portable.Maildir, portable.NewZip(out)
	if e.j.Transfer.Format == parley.FormatEML {
		begin = portable.EML
	}
	w, err := begin(z, told(folders, e.j.Transfer.Folder))
	if err != nil {
		return err
	}
	err = e.each(ctx, func(m parley.Message, raw io.Reader) error { return w.Add(int(e.done), m, raw) })
	if err != nil {
		return err
	}
	return errors.Join(z.Close(), out.Flush())
}

// told are the folders that an export tells: of one folder, that one with those
// above, and labels, since its messages may have them.
func told(all []parley.Folder, only parley.FolderID) []parley.Folder {
	if only == "" {
		return all
	}
	above := map[parley.FolderID]bool{only: true}
	for _, f := range slices.Backward(all) { // those above stand before those below
		if above[f.ID] {
			above[f.Parent] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f parley.Folder) bool {
		return !f.ID.IsFixed() && !f.ID.IsLabel() && !above[f.ID]
	})
}

// each gives the messages that are meant.
func (e *exporting) each(ctx context.Context, f func(parley.Message, io.Reader) error) error {
	return e.c.EachMessage(ctx, e.acc, func(m parley.Message, raw io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if only := e.j.Transfer.Folder; only != "" && !slices.Contains(m.Folders, only) {
			return nil
		}
		if e.done++; e.done%exportReports == 0 {
			if err := e.report(); err != nil {
				return err
			}
		}
		return f(m, raw)
	}, func(parley.MessageID, error) { e.lost++ })
}

func (e *exporting) report() error {
	return e.hand(e.ctx, mailbox.TransferPart{Job: e.j.ID, To: e.done, Total: max(e.j.Total, e.done), Lost: e.lost})
}
