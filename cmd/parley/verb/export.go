package verb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
	"github.com/parley-im/parley/mail/portable"
)

// Export writes all messages of an account to files.
type Export struct {
	Location
	Account string `required:"" placeholder:"NAME@DOMAIN" help:"Account whose messages are written."`
	Format  string `enum:"mbox,maildir,eml" default:"mbox" help:"mbox: one file, without flags and folders. maildir: a Maildir with subfolders. eml: a folder with a file for each message."`
	Path    string `arg:"" help:"File to write (mbox; - is standard output), or a folder that is new or empty."`
}

// standard is the path that means standard output.
const standard = "-"

// Name is "export".
func (*Export) Name() string { return "export" }

// Prepare makes the path absolute.
func (v *Export) Prepare(io.Reader) (_ []byte, err error) {
	switch {
	case v.Path != standard:
		v.Path, err = filepath.Abs(v.Path)
	case v.Format != "mbox":
		err = usagef("%s is a folder, and standard output is none; name one", v.Format)
	}
	return nil, err
}

// Run writes beside the place and moves it there when it is whole. It fails, with
// all else written, when the bytes of a message are missing.
func (v *Export) Run(ctx context.Context, s *system.System, std IO) error {
	id, err := account(ctx, s, v.Account)
	if err != nil {
		return err
	}
	e := &exported{s: s, std: std, id: id}
	switch {
	case v.Format == "maildir":
		err = writeFolder(v.Path, func(dir string) error { return e.files(ctx, dir, portable.Maildir) })
	case v.Format == "eml":
		err = writeFolder(v.Path, func(dir string) error { return e.files(ctx, dir, portable.EML) })
	case v.Path == standard:
		err = e.mbox(ctx, std.Out)
	default:
		err = writeWhole(v.Path, func(w io.Writer) error { return e.mbox(ctx, w) })
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if _, err = fmt.Fprintf(std.Diag, "%d messages\n", e.count); err != nil || e.lost == 0 {
		return err
	}
	return fmt.Errorf("export: %d messages could not be read; put their blobs back from a backup, and export again", e.lost)
}

// exported counts one run.
type exported struct {
	s     *system.System
	std   IO
	id    parley.AccountID
	count int
	lost  int // messages whose bytes are missing or damaged
}

// each gives all messages, in the order in which they were filed.
func (e *exported) each(ctx context.Context, f func(m parley.Message, raw io.Reader) error) error {
	line := progress.New(e.std.Diag, e.std.Terminal, e.s.Now)
	defer line.End()
	return e.s.Mail.EachMessage(ctx, e.id, func(m parley.Message, raw io.Reader) error {
		e.count++
		line.Sayf("export: %d messages", e.count)
		return errors.Join(f(m, raw), ctx.Err())
	}, func(id parley.MessageID, why error) {
		e.lost++
		line.End()
		fmt.Fprintf(e.std.Diag, "not exported: %s: %s\n", id, Message(why))
	})
}

func (e *exported) mbox(ctx context.Context, to io.Writer) error {
	return portable.Mbox(to,
		func(m parley.Message) (string, error) { return e.s.Mail.EnvelopeFrom(ctx, e.id, m) },
		func(f func(parley.Message, io.Reader) error) error { return e.each(ctx, f) })
}

// writeWhole leaves either the whole new file under the name, or what was there.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
