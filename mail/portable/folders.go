package portable

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/maildir"
)

// ownFolders is the file, beside what an export writes, that tells the folders and
// labels of one's own: names of files and folders cannot hold all that those may.
const ownFolders = "parley-folders.json"

// OwnFolder is one of them. Those above stand before those below.
type OwnFolder struct {
	ID        parley.FolderID `json:"id"`
	Name      string          `json:"name"`
	Parent    parley.FolderID `json:"parent,omitempty"`
	Color     string          `json:"color,omitempty"`
	Subfolder string          `json:"subfolder,omitempty"` // of a Maildir
}

// told are the folders of an export as they are written.
type told struct {
	own        []OwnFolder
	subfolders map[parley.FolderID]string
}

// tell names the subfolders of a Maildir.
func tell(all []parley.Folder) told {
	t, used := told{subfolders: map[parley.FolderID]string{}}, map[string]bool{}
	for _, f := range all {
		if f.ID.IsFixed() {
			t.subfolders[f.ID] = maildir.Subfolder(f.ID)
			used[strings.ToLower(t.subfolders[f.ID])] = true
			continue
		}
		sub := unused(used, t.aboveOf(f)+"."+plainPart(f.Name))
		t.subfolders[f.ID] = sub
		t.own = append(t.own, OwnFolder{ID: f.ID, Name: f.Name, Parent: f.Parent, Color: f.Color, Subfolder: sub})
	}
	return t
}

// write writes the file where there is something to tell.
func (t told) write(to Target) error {
	if len(t.own) == 0 {
		return nil
	}
	text, err := json.MarshalIndent(t.own, "", "\t")
	if err != nil {
		return err
	}
	return to.Tell(ownFolders, append(text, '\n'))
}

// aboveOf is the subfolder that a folder is below; labels have one of their own.
func (t told) aboveOf(f parley.Folder) string {
	switch {
	case f.Parent != "":
		return t.subfolders[f.Parent]
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

// maxOwnFolders bounds the file; MaxFolders of the longest names are less.
const maxOwnFolders = 4 << 20

func readOwnFolders(r io.Reader) (all []OwnFolder, err error) {
	if err := json.NewDecoder(io.LimitReader(r, maxOwnFolders)).Decode(&all); err != nil {
		return nil, parley.E(parley.BadContent, "portable.folders", ownFolders+" is damaged")
	}
	if len(all) > parley.MaxFolders {
		return nil, parley.E(parley.BadContent, "portable.folders", ownFolders+" has too many folders")
	}
	return all, nil
}
