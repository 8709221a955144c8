package portable

import (
	"errors"
	"io"

	"github.com/parley-im/parley/mail/mbox"
)

// Source is what mail is read from: a tree, or one file that is an mbox or a
// message.
type Source struct {
	name string
	tree Tree
	open func() (io.ReadCloser, error)
	b    *budget
}

// FolderOf is a tree that is read without bounds, since it is one's own.
func FolderOf(name string, t Tree) *Source { return &Source{name: name, tree: t} }

// FileOf is a file of one's own.
func FileOf(name string, open func() (io.ReadCloser, error)) *Source {
	return &Source{name: name, open: open}
}

// Count counts the messages, which needs no account.
func (s *Source) Count() (n int64, err error) {
	if s.tree == nil {
		return s.countFile()
	}
	l, err := look(s.tree)
	if err != nil {
		return 0, err
	}
	if l.boxes && len(l.dirs) == 0 {
		n, err = l.inBoxes(s.tree, s.b)
	}
	return n + l.messages, err
}

func (s *Source) countFile() (n int64, err error) {
	if IsEML(s.name) {
		return 1, nil
	}
	f, err := s.open()
	if err != nil {
		return 0, err
	}
	in, err := mbox.Unpack(f)
	if err == nil {
		n, err = inBox(mbox.NewReader(in), s.b)
	}
	return n, errors.Join(err, f.Close())
}
