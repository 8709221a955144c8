package verb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/portable"
)

// path imports what is there, which its content tells.
func (r *imported) path(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	in := &portable.Reader{Folder: parley.FolderID(r.v.Folder), Own: r.ownFolder(ctx), Unopened: r.unopened}
	said := func(n int64) string { return fmt.Sprintf("import: %d messages of %s", n, filepath.Base(path)) }
	var s *portable.Source
	if info.IsDir() {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		s = portable.FolderOf(path, onDisk(path))
	} else {
		read := new(int64)
		s = portable.FileOf(path, func() (io.ReadCloser, error) {
			f, err := os.Open(path)
			return counter{f, read}, err
		})
		said = func(n int64) string {
			return fmt.Sprintf("import: %d messages of %s, %d%%", n, filepath.Base(path), 100**read/max(1, info.Size()))
		}
	}
	in.Take = func(l portable.Letter) error {
		err := r.one(ctx, l)
		r.line.Sayf("%s", said(l.N))
		return err
	}
	err = in.Read(s)
	r.strange, r.special = append(r.strange, in.Strange...), r.special+in.Special
	if errors.Is(err, portable.ErrNothing) {
		return fmt.Errorf("%s is a folder that is no Maildir and has no .eml or .mbox files; name the mail in it", path)
	}
	return err
}

// ownFolder finds the folder of a name and place, or makes it.
func (r *imported) ownFolder(ctx context.Context) func(portable.OwnFolder, parley.FolderID) (parley.FolderID, error) {
	return func(f portable.OwnFolder, above parley.FolderID) (parley.FolderID, error) {
		return r.s.Mail.FolderFor(ctx, r.to, f, above)
	}
}

// counter knows how much was read.
type counter struct {
	*os.File
	n *int64
}

func (c counter) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	*c.n += int64(n)
	return n, err
}
