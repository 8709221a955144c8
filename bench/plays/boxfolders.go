package plays

import (
	"slices"
	"strings"

	"github.com/parley-im/parley"
)

// labels are those among folders: their ids say so.
func labels(fs []parley.FolderID) (out []parley.FolderID) {
	for _, f := range fs {
		if strings.HasPrefix(string(f), "lbl_") {
			out = append(out, f)
		}
	}
	return out
}

// lacks reports a folder that is neither a fixed one nor there.
func (b *box) lacks(f parley.FolderID) bool {
	return b.folders[f] == nil && !slices.Contains(parley.FixedFolders[:], f)
}

// shelves are what GET /folders shows: the fixed ones, then one's own by name.
func (b *box) shelves() (out []folderShape) {
	for _, f := range parley.FixedFolders {
		name := strings.ToUpper(string(f[:1])) + string(f[1:])
		out = append(out, folderShape{ID: f, Name: name, Kind: "folder", Counts: b.counts(f)})
	}
	var own []folderShape
	for id, f := range b.folders {
		f := *f
		f.Counts = b.counts(id)
		own = append(own, f)
	}
	slices.SortFunc(own, func(a, b folderShape) int { return strings.Compare(a.Name, b.Name) })
	return append(out, own...)
}

// deleteFolder takes every message out of a folder; what would be nowhere goes
// where leaving says. It reports false, and changes nothing, where that is not said.
func (b *box) deleteFolder(f parley.FolderID, leaving string) bool {
	var out, trashed, gone []*note
	for _, m := range b.notes {
		if !m.in(f) {
			continue
		}
		only := len(without(m.Folders, append(labels(m.Folders), f)...)) == 0
		switch {
		case only && leaving == "trash":
			trashed = append(trashed, m)
		case only && leaving == "remove":
			gone = append(gone, m)
		default:
			out = append(out, m)
		}
	}
	if leaving == "" && len(out) > 0 {
		return false
	}
	for _, m := range out {
		m.move(without(m.Folders, f))
	}
	b.stamp(out)
	for _, m := range trashed {
		m.move([]parley.FolderID{parley.Trash})
	}
	b.stamp(trashed)
	if len(gone) > 0 {
		b.purge(gone)
	}
	b.step()
	delete(b.folders, f)
	b.counted()
	return true
}
