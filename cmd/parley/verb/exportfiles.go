package verb

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/portable"
)

// files writes messages as files of a new folder.
func (e *exported) files(ctx context.Context, dir string, begin func(portable.Target, []parley.Folder) (portable.Writer, error)) error {
	folders, _, err := e.s.Mail.Folders(ctx, e.id, 0)
	if err != nil {
		return err
	}
	w, err := begin(newFolder(dir), folders)
	if err != nil {
		return err
	}
	return e.each(ctx, func(m parley.Message, raw io.Reader) error { return w.Add(e.count, m, raw) })
}

// newFolder is a folder that an export is written to.
type newFolder string

// Dir implements portable.Target.
func (to newFolder) Dir(name string) error { return os.Mkdir(filepath.Join(string(to), name), 0o700) }

// Message implements portable.Target.
func (to newFolder) Message(name string, text []byte, at time.Time) error {
	return writeAt(filepath.Join(string(to), name), text, at)
}

// Tell implements portable.Target.
func (to newFolder) Tell(name string, text []byte) error {
	return os.WriteFile(filepath.Join(string(to), name), text, 0o600)
}
