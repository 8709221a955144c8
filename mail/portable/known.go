package portable

import (
	"fmt"

	"github.com/parley-im/parley"
)

// known are the folders here of those that an export told.
type known struct {
	by         map[parley.FolderID]parley.FolderID
	subfolders map[string]parley.FolderID
}

// know finds or makes the folders that an export told.
func (r *Reader) know(all []OwnFolder) (known, error) {
	k := known{by: map[parley.FolderID]parley.FolderID{}, subfolders: map[string]parley.FolderID{}}
	for _, f := range parley.FixedFolders {
		k.by[f] = f
	}
	if r.Own == nil {
		return k, nil
	}
	for _, f := range all {
		id, err := r.Own(f, k.by[f.Parent])
		if err != nil {
			return k, fmt.Errorf("folder %q: %w", f.Name, err)
		}
		k.by[f.ID], k.subfolders[f.Subfolder] = id, id
	}
	return k, nil
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
