package mailbox

import (
	"cmp"
	"slices"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/parley-im/parley"
)

// FolderTree is the page of the folders and labels of one's own: one page, since
// a name is judged beside its siblings, and there are few.
type FolderTree struct{ Own []OwnFolder } // sorted by id

// OwnFolder is a folder or label that the owner made; its id says which.
type OwnFolder struct {
	ID       parley.FolderID
	Name     string          // NFC
	Parent   parley.FolderID // "" at the top
	Color    string
	Revision parley.Revision // last action that changed it
}

// Weight implements Page.
func (ft *FolderTree) Weight() int {
	n := 48
	for i := range ft.Own {
		n += 120 + len(ft.Own[i].Name)
	}
	return n
}

func (ft *FolderTree) search(id parley.FolderID) (int, bool) {
	return slices.BinarySearchFunc(ft.Own, id, func(f OwnFolder, id parley.FolderID) int { return compare(f.ID, id) })
}

// find is nil when there is no such folder of one's own.
func (ft *FolderTree) find(id parley.FolderID) *OwnFolder {
	if i, ok := ft.search(id); ok {
		return &ft.Own[i]
	}
	return nil
}

// with is the tree after a folder was made or changed.
func (ft *FolderTree) with(f OwnFolder) *FolderTree {
	own := slices.Clone(ft.Own)
	if i, ok := ft.search(f.ID); ok {
		own[i] = f
	} else {
		own = slices.Insert(own, i, f)
	}
	return &FolderTree{Own: own}
}

// without is the tree after a folder was deleted.
func (ft *FolderTree) without(id parley.FolderID) *FolderTree {
	own := slices.DeleteFunc(slices.Clone(ft.Own), func(f OwnFolder) bool { return f.ID == id })
	return &FolderTree{Own: own}
}

// parent reports whether a folder has others below it.
func (ft *FolderTree) parent(id parley.FolderID) bool {
	return slices.ContainsFunc(ft.Own, func(f OwnFolder) bool { return f.Parent == id })
}

// depth counts a folder and those above it.
func (ft *FolderTree) depth(id parley.FolderID) (n int) {
	for ; id != "" && n <= len(ft.Own); n++ {
		f := ft.find(id)
		if f == nil { // a fixed folder is at the top
			return n + 1
		}
		id = f.Parent
	}
	return n
}

// height counts the levels of a folder and what is below it.
func (ft *FolderTree) height(id parley.FolderID) int {
	below := 0
	for _, f := range ft.Own {
		if f.Parent == id {
			below = max(below, ft.height(f.ID))
		}
	}
	return 1 + below
}

// under reports whether a folder is another one or somewhere below it.
func (ft *FolderTree) under(id, other parley.FolderID) bool {
	for range parley.MaxFolderDepth + 1 {
		if id == other {
			return true
		}
		f := ft.find(id)
		if f == nil {
			return false
		}
		id = f.Parent
	}
	return false
}

// taken reports whether a sibling, of any kind, has the name: JMAP shows labels
// and folders as one tree, in which the names of siblings differ (RFC 8621 2).
func (ft *FolderTree) taken(f OwnFolder) bool {
	name := alike(f.Name)
	for _, g := range ft.Own {
		if g.ID != f.ID && g.Parent == f.Parent && alike(g.Name) == name {
			return true
		}
	}
	return f.Parent == "" && slices.ContainsFunc(parley.FixedFolders[:], func(id parley.FolderID) bool { return alike(fixedName(id)) == name })
}

// alike makes one of the names that a person would take for the same.
func alike(name string) string { return norm.NFC.String(cases.Fold().String(norm.NFC.String(name))) }

// fixedName is what a fixed folder is called.
func fixedName(id parley.FolderID) string { return string(id[0]-'a'+'A') + string(id[1:]) }

// inOrder lists folders with those below them behind them, siblings by name.
func (ft *FolderTree) inOrder() []OwnFolder {
	below := map[parley.FolderID][]OwnFolder{}
	for _, f := range ft.Own {
		below[f.Parent] = append(below[f.Parent], f)
	}
	var out []OwnFolder
	var list func(parent parley.FolderID)
	list = func(parent parley.FolderID) {
		names := map[parley.FolderID]string{}
		for _, f := range below[parent] {
			names[f.ID] = alike(f.Name)
		}
		slices.SortFunc(below[parent], func(a, b OwnFolder) int {
			return cmp.Or(cmp.Compare(names[a.ID], names[b.ID]), compare(a.ID, b.ID))
		})
		for _, f := range below[parent] {
			out = append(out, f)
			list(f.ID)
		}
	}
	for _, top := range append(parley.FixedFolders[:], "") {
		list(top)
	}
	return out
}

func (t *tx) folders() *FolderTree {
	if ft, ok := t.get(FoldersKey).(*FolderTree); ok && ft != nil {
		return ft
	}
	return &FolderTree{}
}

// known reports whether there is such a folder or label now.
func (t *tx) known(id parley.FolderID) bool { return id.IsFixed() || t.folders().find(id) != nil }
