package verb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
	"github.com/parley-im/parley/mail/portable"
)

// Import files mail that is kept in files.
type Import struct {
	Location
	Account string   `required:"" placeholder:"NAME@DOMAIN" help:"Account that gets the mail."`
	Folder  string   `default:"inbox" help:"Folder for what does not say where it was."`
	Paths   []string `arg:"" name:"path" help:"mbox files, which may be compressed (gzip, xz, bzip2), Maildirs, .eml files, or folders of .eml and .mbox files."`
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
	v    *Import
	s    *system.System
	std  IO
	line *progress.Line
	to   parley.AccountID
	sums
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
		if err = r.path(ctx, path); err != nil {
			break
		}
	}
	r.line.End()
	if err == nil && r.refused > 0 {
		err = errors.New("some messages were refused; the reasons are above")
	}
	_, printed := fmt.Fprintln(std.Out, r.summary(v.Folder))
	return errors.Join(err, printed)
}

// one imports a message. What is wrong with it alone does not end the run.
func (r *imported) one(ctx context.Context, l portable.Letter) error {
	if len(l.Raw) == 0 {
		r.empty++
		return nil
	}
	added, _, err := r.s.Mail.Import(ctx, r.to, l, r.v.Account)
	switch code := parley.CodeOf(err); {
	case err == nil && added:
		r.added++
	case err == nil:
		r.known++
	case ctx.Err() != nil:
		return ctx.Err()
	case code == parley.TooLarge || code == parley.BadContent:
		r.refuse(l.Where, Message(err))
	default:
		return fmt.Errorf("%s: %w", l.Where, err)
	}
	return nil
}

// refuse says why a message is not taken.
func (r *imported) refuse(where, why string) {
	r.refused++
	r.line.End()
	fmt.Fprintf(r.std.Diag, "%s: %s\n", where, why)
}
