package verb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
)

// maxImported is the largest message that is taken.
const maxImported = 100 << 20

// Import files mail that is kept in files.
type Import struct {
	Location
	Account string   `required:"" placeholder:"NAME@DOMAIN" help:"Account that gets the mail."`
	Folder  string   `default:"inbox" help:"Folder for what does not say where it was."`
	Paths   []string `arg:"" name:"path" help:"mbox files, which may be compressed (gzip, xz, bzip2), Maildirs, .eml files or folders of them."`
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
	born time.Time // when the account was made
	here known     // of the folder that is being read
	sums
}

// Run imports one message after the other, so that a run that is cut short is
// gone on with by another.
func (v *Import) Run(ctx context.Context, s *system.System, std IO) error {
	id, err := account(ctx, s, v.Account)
	if err != nil {
		return err
	}
	owner, err := s.Accounts.Get(ctx, id)
	if err != nil {
		return err
	}
	r := &imported{v: v, s: s, std: std, to: id, born: owner.CreatedAt, line: progress.New(std.Diag, std.Terminal, s.Now)}
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

// letter is one message, wherever it was found.
type letter struct {
	where    string // for whoever reads what is wrong with it
	raw      io.Reader
	at       time.Time // when it was received; zero: its own Date
	from     string    // envelope sender
	folders  []parley.FolderID
	keywords []parley.Keyword
	stated   bool // keywords are all that there were: without $seen it is unread, however old
}

// one imports a message. What is wrong with it alone does not end the run.
func (r *imported) one(ctx context.Context, l letter) error {
	raw, err := io.ReadAll(io.LimitReader(l.raw, maxImported+1))
	if err != nil {
		return fmt.Errorf("%s: %w", l.where, err)
	}
	if len(raw) == 0 {
		r.empty++
		return nil
	}
	added := false
	if len(raw) > maxImported {
		err = parley.E(parley.TooLarge, "import", fmt.Sprintf("it has more than %d MiB", maxImported>>20))
	} else {
		added, err = r.file(ctx, l, raw)
	}
	switch code := parley.CodeOf(err); {
	case err == nil && added:
		r.added++
	case err == nil:
		r.known++
	case ctx.Err() != nil:
		return ctx.Err()
	case code == parley.TooLarge || code == parley.BadContent:
		r.refuse(l.where, Message(err))
	default:
		return fmt.Errorf("%s: %w", l.where, err)
	}
	return nil
}

// file files the message. One that is older than the account is born read, unless
// it is stated to be unread.
func (r *imported) file(ctx context.Context, l letter, raw []byte) (added bool, err error) {
	added, _, err = r.s.Mail.Import(ctx, r.to, actors.ImportMail{
		Raw:      raw,
		Arrival:  parley.Arrival{At: l.at, From: l.from, To: r.v.Account},
		Folders:  l.folders,
		Keywords: l.keywords,
		Unread:   l.stated && !slices.Contains(l.keywords, parley.Seen),
	})
	return added, err
}

// refuse says why a message is not taken.
func (r *imported) refuse(where, why string) {
	r.refused++
	r.line.End()
	fmt.Fprintf(r.std.Diag, "%s: %s\n", where, why)
}

// unsaid is the folder for what does not say where it was.
func (r *imported) unsaid() []parley.FolderID { return []parley.FolderID{parley.FolderID(r.v.Folder)} }
