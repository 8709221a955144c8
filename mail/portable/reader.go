package portable

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/maildir"
)

// Reader reads letters from one source.
type Reader struct {
	Folder parley.FolderID // for what does not say where it was
	// Own finds or makes a folder that an export told; nil knows none.
	Own func(f OwnFolder, above parley.FolderID) (parley.FolderID, error)
	// Take takes a letter; its error ends the reading.
	Take func(Letter) error
	// Unopened judges a file of a tree that cannot be opened; nil ends the reading.
	Unopened func(where string, err error) error
	From     int64 // so many letters are passed over

	Strange []string // subfolders of names that mean nothing here
	Special int      // what was neither file nor folder

	n    int64
	here known
	to   map[string][]parley.FolderID // where the messages of a subfolder go
}

// ErrNothing says that a tree has no mail.
var ErrNothing = errors.New("it is no Maildir and has no .eml or .mbox files")

// Read reads all letters of a source.
func (r *Reader) Read(s *Source) (err error) {
	r.to = map[string][]parley.FolderID{}
	if s.tree == nil {
		r.here, err = r.know(nil)
		return errors.Join(err, r.file(s))
	}
	l, err := look(s.tree)
	if err != nil {
		return err
	}
	if r.here, err = r.know(l.own); err != nil {
		return err
	}
	r.Special += l.special
	if len(l.dirs) == 0 && l.messages == 0 && !l.boxes {
		return ErrNothing
	}
	if err := r.walk(s, l, false); err != nil || !l.labels {
		return err
	}
	return r.walk(s, l, true)
}

// walk reads a tree. Labels come last: a message is filed from the folder that it
// is in.
func (r *Reader) walk(s *Source, l *layout, labels bool) error {
	return s.tree.Each(func(f File) error {
		name, ok := strings.CutPrefix(f.Path, l.top)
		if !ok || f.Dir || f.Special {
			return nil
		}
		where := path.Join(s.name, f.Path)
		switch kind := l.kind(name); {
		case kind == delivered:
			if dir, file, _ := l.split(name); r.here.subfolders[dir].IsLabel() == labels {
				return r.delivered(where, f, dir, file)
			}
		case kind == single && !labels:
			return r.eml(where, f)
		case kind == box && !labels:
			return r.boxFile(s, where, f)
		}
		return nil
	})
}

// next numbers a letter; false is one to be passed over.
func (r *Reader) next() bool {
	r.n++
	return r.n > r.From
}

// folders says where the messages of a subfolder go.
func (r *Reader) folders(subfolder string) []parley.FolderID {
	if to, ok := r.to[subfolder]; ok {
		return to
	}
	to := []parley.FolderID{r.Folder}
	switch id, known := maildir.Folder(strings.ReplaceAll(subfolder, "/", ".")); {
	case subfolder == "":
	case r.here.subfolders[subfolder] != "":
		to[0] = r.here.subfolders[subfolder]
	case known:
		to[0] = id
	default:
		r.Strange = append(r.Strange, subfolder)
	}
	r.to[subfolder] = to
	return to
}

// delivered reads one file of a Maildir. Its name has the flags; its time is
// that of delivery, which a name that was written here keeps better.
func (r *Reader) delivered(where string, f File, dir, file string) error {
	name, _ := maildir.ParseName(file)
	folders := r.folders(dir)
	return r.one(where, f, func(raw []byte) Letter {
		l := Letter{Where: where, Raw: raw, At: f.At, Folders: folders, Keywords: maildir.Keywords(name.Flags), Stated: true}
		if name.Trashed() {
			l.Folders = []parley.FolderID{parley.Trash}
		}
		if at, ok := name.Received(); ok {
			l.At = at
		}
		return l
	})
}

// eml reads a file with one message.
func (r *Reader) eml(where string, f File) error {
	return r.one(where, f, func(raw []byte) Letter {
		l := plain(where, raw)
		l.Folders = []parley.FolderID{r.Folder}
		if said, ok := parseEML(path.Base(where)); ok {
			l.At, l.Keywords, l.Stated = said.at, maildir.Keywords(said.flags), true
			if here := r.here.here(said.folders); len(here) > 0 {
				l.Folders = here
			}
		}
		return l
	})
}

// one reads a file that is one message.
func (r *Reader) one(where string, f File, letter func(raw []byte) Letter) error {
	if !r.next() {
		return nil
	}
	in, err := f.Open()
	if err != nil && r.Unopened != nil {
		return r.Unopened(where, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	raw, err := read(in)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	l := letter(raw)
	l.N = r.n
	return r.Take(l)
}
