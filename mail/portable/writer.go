package portable

import (
	"bufio"
	"errors"
	"io"
	"path"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/maildir"
	"github.com/parley-im/parley/mail/mbox"
)

// Writer writes messages as files.
type Writer interface {
	// Add writes one message. n is its place, which tells those of one instant apart.
	Add(n int, m parley.Message, raw io.Reader) error
}

// Maildir begins a Maildir++ for the folders that there are. A message that is in
// several of them is in each under the same name: reading brings it together again.
func Maildir(to Target, folders []parley.Folder) (Writer, error) {
	w := &maildirWriter{to: to, told: tell(folders), made: map[parley.FolderID]bool{parley.Inbox: true}}
	if err := makeMaildir(to, ""); err != nil {
		return nil, err
	}
	return w, w.told.write(to)
}

type maildirWriter struct {
	to   Target
	told told
	made map[parley.FolderID]bool
}

// Add implements Writer.
func (w *maildirWriter) Add(n int, m parley.Message, raw io.Reader) error {
	text, err := io.ReadAll(raw)
	if err != nil {
		return err
	}
	name := maildir.Name{Unique: maildir.Unique(m.ReceivedAt, n), Flags: maildir.Flags(m.Keywords)}
	for _, folder := range m.Folders {
		sub, told := w.told.subfolders[folder]
		if !told {
			continue // made since the export began; the message is in others, or comes with the next
		}
		if !w.made[folder] {
			if err := makeSubfolder(w.to, sub); err != nil {
				return err
			}
			w.made[folder] = true
		}
		if err := w.to.Message(path.Join(sub, maildir.Cur, name.String()), text, m.ReceivedAt); err != nil {
			return err
		}
	}
	return nil
}

// Mbox writes the messages that each gives as one file. from tells the envelope
// sender of one.
func Mbox(to io.Writer, from func(parley.Message) (string, error), each func(func(parley.Message, io.Reader) error) error) error {
	out := bufio.NewWriterSize(to, 64<<10)
	w := mbox.NewWriter(out)
	err := each(func(m parley.Message, raw io.Reader) error {
		sender, err := from(m)
		if err != nil {
			return err
		}
		return w.Add(sender, m.ReceivedAt, raw)
	})
	if err != nil {
		return err
	}
	return errors.Join(w.Flush(), out.Flush())
}

func makeMaildir(to Target, dir string) error {
	for _, part := range [...]string{maildir.Cur, maildir.New, maildir.Tmp} {
		if err := to.Dir(path.Join(dir, part)); err != nil {
			return err
		}
	}
	return nil
}

func makeSubfolder(to Target, dir string) error {
	if err := to.Dir(dir); err != nil {
		return err
	}
	if err := to.Tell(path.Join(dir, maildir.Mark), nil); err != nil {
		return err
	}
	return makeMaildir(to, dir)
}

// EML begins a folder with one file for each message: what a Maildir has in its
// folders is in the names.
func EML(to Target, folders []parley.Folder) (Writer, error) {
	return emlWriter{to}, tell(folders).write(to)
}

type emlWriter struct{ to Target }

// Add implements Writer.
func (w emlWriter) Add(n int, m parley.Message, raw io.Reader) error {
	text, err := io.ReadAll(raw)
	if err != nil {
		return err
	}
	name := emlName{at: m.ReceivedAt, n: n, folders: m.Folders, flags: maildir.Flags(m.Keywords)}
	return w.to.Message(name.String(), text, m.ReceivedAt)
}
