package verb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
	"github.com/parley-im/parley/mail/mbox"
)

// Export writes all messages of an account to a file.
type Export struct {
	Location
	Account string `required:"" placeholder:"NAME@DOMAIN" help:"Account whose messages are written."`
	Format  string `enum:"mbox" default:"mbox" help:"mbox is the only one."`
	Path    string `arg:"" help:"File to write; - is standard output."`
}

// standard is the path that means standard output.
const standard = "-"

// Name is "export".
func (*Export) Name() string { return "export" }

// Prepare makes the path absolute.
func (v *Export) Prepare(io.Reader) (_ []byte, err error) {
	if v.Path != standard {
		v.Path, err = filepath.Abs(v.Path)
	}
	return nil, err
}

// Run writes the file beside its place and moves it there when it is whole.
func (v *Export) Run(ctx context.Context, s *system.System, std IO) error {
	id, err := account(ctx, s, v.Account)
	if err != nil {
		return err
	}
	count := 0
	write := func(w io.Writer) (err error) {
		count, err = writeMbox(ctx, s, std, id, w)
		return err
	}
	if v.Path == standard {
		err = write(std.Out)
	} else {
		err = writeWhole(v.Path, write)
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	_, err = fmt.Fprintf(std.Diag, "%d messages\n", count)
	return err
}

func writeMbox(ctx context.Context, s *system.System, std IO, id parley.AccountID, to io.Writer) (count int, err error) {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	defer line.End()
	buffered := bufio.NewWriterSize(to, 64<<10)
	w := mbox.NewWriter(buffered)
	err = s.Mail.EachMessage(ctx, id, func(m parley.Message, raw io.Reader) error {
		count++
		line.Sayf("export: %d messages", count)
		from, err := sender(ctx, s, id, m)
		if err != nil {
			return err
		}
		return errors.Join(w.Add(from, m.ReceivedAt, raw), ctx.Err())
	})
	if err != nil {
		return count, err
	}
	return count, errors.Join(w.Flush(), buffered.Flush())
}

// sender is the envelope sender of a message's first arrival. A post has none
// and goes under its author.
func sender(ctx context.Context, s *system.System, id parley.AccountID, m parley.Message) (string, error) {
	if m.Seq > 0 {
		return m.Author.Address, nil
	}
	e, err := s.Mail.Explain(ctx, id, m.ID)
	if err != nil || len(e.Arrivals) == 0 {
		return m.Author.Address, err
	}
	return e.Arrivals[0].From, nil
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
