package verb

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/maildir"
)

// maildir writes a Maildir++. A message that is in several folders is in each of
// them under the same name: importing brings it together again.
func (e *exported) maildir(ctx context.Context, dir string) error {
	made := map[parley.FolderID]bool{parley.Inbox: true}
	if err := makeMaildir(dir); err != nil {
		return err
	}
	subfolders, err := e.ownFolders(ctx, dir)
	if err != nil {
		return err
	}
	return e.each(ctx, func(m parley.Message, raw io.Reader) error {
		text, err := io.ReadAll(raw)
		if err != nil {
			return err
		}
		name := maildir.Name{Unique: maildir.Unique(m.ReceivedAt, e.count), Flags: maildir.Flags(m.Keywords)}
		for _, folder := range m.Folders {
			sub, told := subfolders[folder]
			if !told {
				continue // made since the export began; the message is in others, or comes with the next
			}
			to := filepath.Join(dir, sub)
			if !made[folder] {
				if err := makeSubfolder(to); err != nil {
					return err
				}
				made[folder] = true
			}
			if err := writeAt(filepath.Join(to, maildir.Cur, name.String()), text, m.ReceivedAt); err != nil {
				return err
			}
		}
		return nil
	})
}

func makeMaildir(dir string) error {
	for _, part := range [...]string{maildir.Cur, maildir.New, maildir.Tmp} {
		if err := os.Mkdir(filepath.Join(dir, part), 0o700); err != nil {
			return err
		}
	}
	return nil
}

func makeSubfolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, maildir.Mark), nil, 0o600); err != nil {
		return err
	}
	return makeMaildir(dir)
}

// eml writes one file for each message, and nothing else: what a Maildir has in
// its folders is in the names.
func (e *exported) eml(ctx context.Context, dir string) error {
	if _, err := e.ownFolders(ctx, dir); err != nil {
		return err
	}
	return e.each(ctx, func(m parley.Message, raw io.Reader) error {
		text, err := io.ReadAll(raw)
		if err != nil {
			return err
		}
		name := emlName{at: m.ReceivedAt, n: e.count, folders: m.Folders, flags: maildir.Flags(m.Keywords)}
		return writeAt(filepath.Join(dir, name.String()), text, m.ReceivedAt)
	})
}
