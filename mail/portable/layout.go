package portable

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/parley-im/parley/mail/maildir"
	"github.com/parley-im/parley/mail/mbox"
)

// layout is what a tree is, as one look at all names tells.
type layout struct {
	top      string          // the one folder that all is in, with its slash
	dirs     map[string]bool // that have a cur, and so are Maildirs or subfolders of one
	labels   bool            // some of them are labels
	own      []OwnFolder     // that an export told
	special  int
	messages int64 // files with one
	boxes    bool  // there are mboxes, too
}

// look looks at a tree.
func look(t Tree) (*layout, error) {
	l := &layout{dirs: map[string]bool{}}
	if err := l.names(t); err != nil {
		return nil, err
	}
	err := t.Each(func(f File) error {
		name, ok := strings.CutPrefix(f.Path, l.top)
		if !ok {
			return nil
		}
		if name == ownFolders && !f.Dir && !f.Special {
			return l.readOwn(f)
		}
		if kind := l.kind(name); kind != nothing && !f.Dir {
			l.count(kind, f)
		}
		return nil
	})
	return l, err
}

// names finds the Maildirs, and the folder that everything is in.
func (l *layout) names(t Tree) error {
	top, several := "", false
	err := t.Each(func(f File) error {
		if strings.HasPrefix(f.Path, "__MACOSX") {
			return nil
		}
		first, _, below := strings.Cut(f.Path, "/")
		several = several || top != "" && first != top || !below && !f.Dir
		top = first
		for at, rest := "", f.Path; ; {
			part, more, below := strings.Cut(rest, "/")
			if part == maildir.Cur && (below || f.Dir) {
				l.dirs[at] = true
			}
			if !below {
				break
			}
			at, rest = path.Join(at, part), more
		}
		if len(l.dirs) > maxFolders {
			return tooMuch(fmt.Sprintf("it has more than %d folders", maxFolders))
		}
		return nil
	})
	if _, known := maildir.Folder(top); !several && !known && top != "" && top[0] != '.' && top != maildir.Cur && top != maildir.New {
		l.lift(top + "/")
	}
	return err
}

// lift makes the one folder that everything is in the top.
func (l *layout) lift(top string) {
	dirs := map[string]bool{}
	for dir := range l.dirs {
		dirs[strings.TrimPrefix(strings.TrimPrefix(dir, strings.TrimSuffix(top, "/")), "/")] = true
	}
	l.top, l.dirs = top, dirs
}

// kind says what a file is by its name.
type kind uint8

const (
	nothing kind = iota
	delivered
	single
	box
)

func (l *layout) kind(name string) kind {
	base := path.Base(name)
	switch _, _, in := l.split(name); {
	case in && len(l.dirs) > 0:
		return delivered
	case len(l.dirs) > 0 || strings.HasPrefix(base, ".") || strings.HasPrefix(name, "__MACOSX"):
		return nothing
	case IsEML(base):
		return single
	case strings.EqualFold(path.Ext(base), ".mbox"):
		return box
	}
	return nothing
}

// split finds the Maildir that a message's file is in. What is in tmp is not
// delivered yet, and what is further below is no message.
func (l *layout) split(name string) (dir, file string, ok bool) {
	for at, rest := "", name; ; {
		part, more, below := strings.Cut(rest, "/")
		if !below {
			return "", "", false
		}
		if part == maildir.Cur || part == maildir.New || part == maildir.Tmp {
			if l.dirs[at] {
				_, message := maildir.ParseName(more)
				return at, more, message && part != maildir.Tmp && !strings.Contains(more, "/")
			}
		}
		at, rest = path.Join(at, part), more
	}
}

func (l *layout) count(k kind, f File) {
	switch {
	case f.Special:
		l.special++
	case k == box:
		l.boxes = true
	default:
		l.messages++
	}
}

func (l *layout) readOwn(f File) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	told, err := readOwnFolders(r)
	l.own = told
	for _, o := range told {
		l.labels = l.labels || o.ID.IsLabel()
	}
	return errors.Join(err, r.Close())
}

// inBoxes counts the messages of the mboxes.
func (l *layout) inBoxes(t Tree, b *budget) (n int64, err error) {
	err = t.Each(func(f File) error {
		name, ok := strings.CutPrefix(f.Path, l.top)
		if !ok || f.Dir || f.Special || l.kind(name) != box {
			return nil
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		in, err := inBox(mbox.NewReader(r), b)
		n += in
		return errors.Join(err, r.Close())
	})
	return n, err
}

func inBox(box *mbox.Reader, b *budget) (n int64, err error) {
	for {
		if _, err := box.Next(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		if n++; b != nil {
			if err := b.entry(); err != nil {
				return n, err
			}
		}
	}
}
