package verb

import (
	"cmp"
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
	if r.here, err = r.ownFolders(ctx, path); err != nil {
		return err
	}
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

// maildir imports a Maildir with its subfolders.
func (r *imported) maildir(ctx context.Context, path string, subfolders map[string][]string) error {
	var names []string
	total, done := 0, 0
	for name, files := range subfolders {
		names = append(names, name)
		total += len(files)
	}
	// Labels come last: a message is filed from the folder that it is in.
	slices.SortFunc(names, func(a, b string) int {
		if x, y := r.here.subfolders[a].IsLabel(), r.here.subfolders[b].IsLabel(); x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		return cmp.Compare(a, b)
	})
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
	if id := r.here.subfolders[subfolder]; id != "" {
		return []parley.FolderID{id}
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
