package mailbox

import (
	"slices"

	"github.com/parley-im/parley"
)

func (t *tx) setFolder(s *FolderSet) {
	f := s.Folder
	f.Revision = t.n
	t.put(FoldersKey, t.folders().with(f))
}

// dropFolder forgets a folder in which nothing is any more.
func (t *tx) dropFolder(g *FolderGone) {
	ft := t.folders().without(g.ID)
	if len(ft.Own) == 0 {
		t.put(FoldersKey, nil)
		return
	}
	t.put(FoldersKey, ft)
}

// settled is where a message can be. It is always in a folder, for which labels
// do not count; and what is only in Spam or Trash has no labels, so that no list
// but those of Spam and Trash shows it.
func settled(to []parley.FolderID) []parley.FolderID {
	folder, kept := false, false
	for _, f := range to {
		if !f.IsLabel() {
			folder, kept = true, kept || f != parley.Spam && f != parley.Trash
		}
	}
	switch {
	case !folder:
		return insert(to, parley.Archive)
	case !kept:
		return slices.DeleteFunc(slices.Clone(to), parley.FolderID.IsLabel)
	}
	return to
}

// places applies an action to the folders and labels that a message has.
func (c *Changed) places(m *Message) []parley.FolderID {
	to := m.Folders
	if c.Restore && m.in(parley.Trash) {
		to = m.Before
	}
	if c.Replace != nil {
		to = exchange(to, c.Replace, false)
	}
	if c.Labels != nil {
		to = exchange(to, c.Labels, true)
	}
	for _, f := range c.Remove {
		to = slices.DeleteFunc(slices.Clone(to), func(h parley.FolderID) bool { return h == f })
	}
	for _, f := range c.Add {
		to = insert(to, f)
	}
	return to
}

// exchange replaces either the labels of a set or its folders.
func exchange(set, by []parley.FolderID, labels bool) []parley.FolderID {
	stay := slices.DeleteFunc(slices.Clone(set), func(f parley.FolderID) bool { return f.IsLabel() == labels })
	return sorted(append(stay, by...))
}
