package portable

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/maildir"
	"github.com/parley-im/parley/mail/mbox"
)

// file reads a source that is one file, which its content tells.
func (r *Reader) file(s *Source) error {
	f, err := s.open()
	if err != nil {
		return err
	}
	return errors.Join(r.content(s, f), f.Close())
}

func (r *Reader) content(s *Source, f io.Reader) error {
	if IsEML(s.name) {
		return r.eml(s.name, File{Open: func() (io.ReadCloser, error) { return io.NopCloser(f), nil }})
	}
	unpacked, err := mbox.Unpack(f)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	in := bufio.NewReader(unpacked)
	if begun, err := beginsBox(in); err != nil || begun {
		return errors.Join(err, r.letters(s, s.name, in, r.Folder))
	}
	raw, err := read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	if !alone(raw) {
		return r.letters(s, s.name, io.MultiReader(bytes.NewReader(raw), in), r.Folder)
	}
	if !r.next() {
		return nil
	}
	l := plain(s.name, raw)
	l.N, l.Folders = r.n, []parley.FolderID{r.Folder}
	return r.Take(l)
}

// beginsBox looks whether an mbox begins here, blank lines apart.
func beginsBox(in *bufio.Reader) (bool, error) {
	head, err := in.Peek(in.Size())
	if err != nil && err != io.EOF {
		return false, err
	}
	return bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("From ")), nil
}

// alone reports whether the file is one message: it has no line in it that parts
// messages. Then none of its lines is quoted, and it is taken as it is.
func alone(raw []byte) bool {
	box := mbox.NewReader(bytes.NewReader(raw))
	if _, err := box.Next(); err != nil {
		return false
	}
	_, err := box.Next()
	return errors.Is(err, io.EOF)
}

// boxFile reads an mbox of a tree, whose name may tell the folder.
func (r *Reader) boxFile(s *Source, where string, f File) error {
	in, err := f.Open()
	if err != nil && r.Unopened != nil {
		return r.Unopened(where, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	to := r.Folder
	base := path.Base(where)
	if id, known := maildir.Folder(strings.TrimSuffix(base, path.Ext(base))); known {
		to = id
	}
	return errors.Join(r.letters(s, where, in, to), in.Close())
}

// letters reads an mbox.
func (r *Reader) letters(s *Source, where string, in io.Reader, to parley.FolderID) error {
	box := mbox.NewReader(in)
	for n := 1; ; n++ {
		entry, err := box.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		at := fmt.Sprintf("%s: message %d", where, n)
		if err == nil && s.b != nil {
			err = s.b.entry()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if !r.next() {
			continue
		}
		raw, err := read(entry)
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		l := plain(at, raw)
		l.N, l.At, l.From, l.Folders = r.n, entry.Date, entry.EnvelopeFrom, []parley.FolderID{to}
		if err := r.Take(l); err != nil {
			return err
		}
	}
}
