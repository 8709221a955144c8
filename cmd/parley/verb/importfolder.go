package verb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/maildir"
)

// found are the paths of messages below a folder.
type found struct {
	maildirs map[string][]string // by subfolder; "" is the Maildir itself
	emls     []string
	special  int
}

// folder imports a Maildir or a folder of .eml files.
func (r *imported) folder(ctx context.Context, path string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	all, err := look(path)
	if err != nil {
		return err
	}
	r.special += all.special
	switch {
	case len(all.maildirs) > 0:
		return r.maildir(ctx, path, all.maildirs)
	case len(all.emls) > 0:
		for i, eml := range all.emls {
			if err := r.eml(ctx, eml); err != nil {
				return err
			}
			r.line.Sayf("import: %d of %d messages of %s", i+1, len(all.emls), filepath.Base(path))
		}
		return nil
	}
	return fmt.Errorf("%s is a folder that is no Maildir and has no .eml files; name the mbox files in it", path)
}

// look lists what is below a folder: a Maildir is a folder with cur in it, as the
// subfolders of Maildir++ are, or those of a tree of folders.
func look(root string) (found, error) {
	all := found{maildirs: map[string][]string{}}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.IsDir():
			all.eml(path, e)
			return nil
		}
		return all.maildir(root, path)
	})
	return all, err
}

func (all *found) eml(path string, e fs.DirEntry) {
	switch {
	case !isEML(path) || strings.HasPrefix(e.Name(), "."):
	case e.Type().IsRegular():
		all.emls = append(all.emls, path)
	default:
		all.special++
	}
}

// maildir lists a folder if it is a Maildir or the part of one that has messages.
func (all *found) maildir(root, path string) error {
	name := filepath.Base(path)
	if name != maildir.Cur && name != maildir.New && name != maildir.Tmp || path == root {
		return nil
	}
	above := filepath.Dir(path)
	if info, err := os.Stat(filepath.Join(above, maildir.Cur)); err != nil || !info.IsDir() {
		return nil
	}
	sub, err := filepath.Rel(root, above)
	if err != nil {
		return err
	}
	if sub == "." {
		sub = ""
	}
	files := all.maildirs[sub]
	all.maildirs[sub] = files // an empty Maildir is one too
	if name == maildir.Tmp {  // not delivered yet
		return fs.SkipDir
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch _, ok := maildir.ParseName(e.Name()); {
		case !ok || e.IsDir():
		case e.Type().IsRegular():
			files = append(files, filepath.Join(path, e.Name()))
		default:
			all.special++
		}
	}
	all.maildirs[sub] = files
	return fs.SkipDir
}

// maildir imports a Maildir with its subfolders.
func (r *imported) maildir(ctx context.Context, path string, subfolders map[string][]string) error {
	var names []string
	total, done := 0, 0
	for name, files := range subfolders {
		names = append(names, name)
		total += len(files)
	}
	slices.Sort(names)
	for _, name := range names {
		folders := r.folders(name, len(subfolders[name]))
		for _, file := range subfolders[name] {
			if err := r.delivered(ctx, file, folders); err != nil {
				return err
			}
			done++
			r.line.Sayf("import: %d of %d messages of %s", done, total, filepath.Base(path))
		}
	}
	return nil
}

// folders says where the messages of a subfolder go.
func (r *imported) folders(subfolder string, messages int) []parley.FolderID {
	if subfolder == "" {
		return r.unsaid()
	}
	id, ok := maildir.Folder(strings.ReplaceAll(filepath.ToSlash(subfolder), "/", "."))
	if ok {
		return []parley.FolderID{id}
	}
	if messages > 0 {
		r.strange = append(r.strange, subfolder)
	}
	return r.unsaid()
}

// delivered imports one file of a Maildir. Its name has the flags; its time is
// that of delivery, which a name that was written here keeps better.
func (r *imported) delivered(ctx context.Context, path string, folders []parley.FolderID) error {
	name, _ := maildir.ParseName(filepath.Base(path))
	l := letter{where: path, folders: folders, keywords: maildir.Keywords(name.Flags), stated: true}
	if name.Trashed() {
		l.folders = []parley.FolderID{parley.Trash}
	}
	f, info, err := open(path)
	if err != nil {
		return r.unopened(path, err)
	}
	defer f.Close()
	l.raw, l.at = f, info.ModTime()
	if at, ok := name.Received(); ok {
		l.at = at
	}
	return r.one(ctx, l)
}

func open(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// unopened judges a message that cannot be read. Mail programs rename files while
// a Maildir is in use.
func (r *imported) unopened(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.moved++
	case errors.Is(err, fs.ErrPermission):
		r.refuse(path, "it may not be read")
	default:
		return err
	}
	return nil
}
