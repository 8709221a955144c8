package verb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
	"github.com/parley-im/parley/mail/mbox"
)

// maxImported is the largest message that is taken.
const maxImported = 100 << 20

// Import files the mail of mbox files.
type Import struct {
	Location
	Account string   `required:"" placeholder:"NAME@DOMAIN" help:"Account that gets the mail."`
	Folder  string   `default:"inbox" help:"Folder that it goes to."`
	Paths   []string `arg:"" name:"path" help:"mbox files, which may be compressed (gzip, xz, bzip2), or single messages."`
}

// Name is "import".
func (*Import) Name() string { return "import" }

// Prepare makes the paths absolute and checks the folder.
func (v *Import) Prepare(io.Reader) ([]byte, error) {
	v.Folder = strings.ToLower(v.Folder)
	if !slices.Contains(parley.FixedFolders[:], parley.FolderID(v.Folder)) {
		return nil, usagef("--folder: %q is none of %v", v.Folder, parley.FixedFolders)
	}
	for i, path := range v.Paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		v.Paths[i] = abs
	}
	return nil, nil
}

// imported counts one run.
type imported struct {
	v      *Import
	s      *system.System
	std    IO
	line   *progress.Line
	to     parley.AccountID
	added  int
	known  int
	refuse int
}

// Run imports one message after the other, so that a run that is cut short is
// gone on with by another.
func (v *Import) Run(ctx context.Context, s *system.System, std IO) error {
	id, err := account(ctx, s, v.Account)
	if err != nil {
		return err
	}
	r := &imported{v: v, s: s, std: std, to: id, line: progress.New(std.Diag, std.Terminal, s.Now)}
	for _, path := range v.Paths {
		if err = r.file(ctx, path); err != nil {
			break
		}
	}
	r.line.End()
	summary := fmt.Sprintf("%d messages: %d added, %d known", r.added+r.known+r.refuse, r.added, r.known)
	if r.refuse > 0 {
		summary += fmt.Sprintf(", %d refused", r.refuse)
		if err == nil {
			err = errors.New("some messages were refused; the reasons are above")
		}
	}
	_, printed := fmt.Fprintln(std.Out, summary)
	return errors.Join(err, printed)
}

func (r *imported) file(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a folder; name the mbox files in it", path)
	}
	read := &counter{r: f}
	box, err := mbox.Open(read)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for n := 1; ; n++ {
		entry, err := box.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: message %d: %w", path, n, err)
		}
		if err := r.entry(ctx, path, n, entry); err != nil {
			return fmt.Errorf("%s: message %d: %w", path, n, err)
		}
		r.line.Sayf("import: %d messages of %s, %d%%", n, filepath.Base(path), 100*read.n/max(1, info.Size()))
	}
}

// entry imports one message. What is wrong with that message alone does not end
// the run.
func (r *imported) entry(ctx context.Context, path string, n int, entry *mbox.Entry) error {
	raw, err := io.ReadAll(io.LimitReader(entry, maxImported+1))
	if err != nil {
		return err
	}
	added := false
	if len(raw) > maxImported {
		err = parley.E(parley.TooLarge, "import", fmt.Sprintf("it has more than %d MiB", maxImported>>20))
	} else {
		added, _, err = r.s.Mail.Import(ctx, r.to, r.mail(raw, entry))
	}
	switch code := parley.CodeOf(err); {
	case err == nil && added:
		r.added++
	case err == nil:
		r.known++
	case ctx.Err() != nil:
		return ctx.Err()
	case code == parley.TooLarge || code == parley.BadContent:
		r.refuse++
		r.line.End()
		fmt.Fprintf(r.std.Diag, "%s: message %d: %s\n", path, n, Message(err))
	default:
		return err
	}
	return nil
}

func (r *imported) mail(raw []byte, entry *mbox.Entry) actors.ImportMail {
	return actors.ImportMail{
		Raw:      raw,
		Arrival:  parley.Arrival{At: entry.Date, From: entry.EnvelopeFrom, To: r.v.Account},
		Folders:  []parley.FolderID{parley.FolderID(r.v.Folder)},
		Keywords: statusKeywords(raw),
	}
}

// counter knows how much was read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
