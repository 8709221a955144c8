package verb

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-im/parley/mail/maildir"
)

// found are the paths of messages below a folder.
type found struct {
	maildirs map[string][]string // by subfolder; "" is the Maildir itself
	emls     []string
	special  int
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
