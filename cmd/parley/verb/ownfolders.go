package verb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/maildir"
)

// ownFolders is the file, beside what an export writes, that tells the folders and
// labels of one's own: names of files and folders cannot hold all that those may.
const ownFolders = "parley-folders.json"

// ownFolder is one of them. Those above stand before those below.
type ownFolder struct {
	ID        parley.FolderID `json:"id"`
	Name      string          `json:"name"`
	Parent    parley.FolderID `json:"parent,omitempty"`
	Color     string          `json:"color,omitempty"`
	Subfolder string          `json:"subfolder,omitempty"` // of a Maildir
}

// ownFolders writes the file where there is something to tell, and gives the
// subfolders of a Maildir.
func (e *exported) ownFolders(ctx context.Context, dir string) (map[parley.FolderID]string, error) {
	all, _, err := e.s.Mail.Folders(ctx, e.id, 0)
	if err != nil {
		return nil, err
	}
	var own []ownFolder
	subfolders, used := map[parley.FolderID]string{}, map[string]bool{}
	for _, f := range all {
		if f.ID.IsFixed() {
			subfolders[f.ID] = maildir.Subfolder(f.ID)
			used[strings.ToLower(subfolders[f.ID])] = true
			continue
		}
		sub := unused(used, aboveOf(f, subfolders)+"."+plainPart(f.Name))
		subfolders[f.ID] = sub
		own = append(own, ownFolder{ID: f.ID, Name: f.Name, Parent: f.Parent, Color: f.Color, Subfolder: sub})
	}
	if len(own) == 0 {
		return subfolders, nil
	}
	text, err := json.MarshalIndent(own, "", "\t")
	if err != nil {
		return nil, err
	}
	return subfolders, os.WriteFile(filepath.Join(dir, ownFolders), append(text, '\n'), 0o600)
}

// aboveOf is the subfolder that a folder is below; labels have one of their own.
func aboveOf(f parley.Folder, subfolders map[parley.FolderID]string) string {
	switch {
	case f.Parent != "":
		return subfolders[f.Parent]
	case f.ID.IsLabel():
		return ".Labels"
	}
	return ""
}

// plainPart makes a name one level of a subfolder's. Names that come to the same
// are told apart by unused.
func plainPart(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '/' || r == '\\' || unicode.IsControl(r) {
			return '_'
		}
		return r
	}, name)
}

// maxPart is shorter than the names that file systems have.
const maxPart = 200

// unused cuts a name to what a file system takes, and ends it so that no other is
// the same, whatever the case.
func unused(used map[string]bool, name string) string {
	for len(name) > maxPart {
		r := []rune(name)
		name = string(r[:len(r)-1])
	}
	free := name
	for n := 2; used[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s~%d", name, n)
	}
	used[strings.ToLower(free)] = true
	return free
}

// known are the folders here of those that an export told.
type known struct {
	by         map[parley.FolderID]parley.FolderID
	subfolders map[string]parley.FolderID
}

// ownFolders makes the folders that an export told, as far as they are not here.
func (r *imported) ownFolders(ctx context.Context, dir string) (known, error) {
	k := known{by: map[parley.FolderID]parley.FolderID{}, subfolders: map[string]parley.FolderID{}}
	for _, f := range parley.FixedFolders {
		k.by[f] = f
	}
	told, err := readOwnFolders(filepath.Join(dir, ownFolders))
	if err != nil || len(told) == 0 {
		return k, err
	}
	have, _, err := r.s.Mail.Folders(ctx, r.to, 0)
	if err != nil {
		return k, err
	}
	for _, f := range told {
		id, err := r.ownFolder(ctx, f, k.by[f.Parent], have)
		if err != nil {
			return k, fmt.Errorf("folder %q: %w", f.Name, err)
		}
		k.by[f.ID], k.subfolders[f.Subfolder] = id, id
	}
	return k, nil
}

// ownFolder finds the folder of this name and place, or makes it.
func (r *imported) ownFolder(ctx context.Context, f ownFolder, above parley.FolderID, have []parley.Folder) (parley.FolderID, error) {
	for _, h := range have {
		if h.Parent == above && h.Name == f.Name && h.ID.IsLabel() == f.ID.IsLabel() && !h.ID.IsFixed() {
			return h.ID, nil
		}
	}
	id, _, _, err := r.s.Mail.CreateFolder(ctx, r.to, parley.Command{}, parley.NewFolder{Name: f.Name, Parent: above, Label: f.ID.IsLabel(), Color: f.Color})
	return id, err
}

// maxOwnFolders bounds the file; MaxFolders of the longest names are less.
const maxOwnFolders = 4 << 20

func readOwnFolders(path string) (told []ownFolder, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := json.NewDecoder(io.LimitReader(f, maxOwnFolders)).Decode(&told); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return told, nil
}

// here gives the folders of an exported message as they are called here.
func (k known) here(told []parley.FolderID) (out []parley.FolderID) {
	for _, f := range told {
		if id := k.by[f]; f.IsFixed() {
			out = append(out, f)
		} else if id != "" {
			out = append(out, id)
		}
	}
	return out
}
