package mailbox_test

import (
	"slices"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// ofLabels are the labels among folders.
func ofLabels(fs []parley.FolderID) (out []parley.FolderID) {
	for _, f := range fs {
		if strings.HasPrefix(string(f), "lbl_") {
			out = append(out, f)
		}
	}
	return out
}

func fixed(f parley.FolderID) bool { return slices.Contains(parley.FixedFolders[:], f) }

// all reports whether there are all these folders.
func (n *naive) all(fs []parley.FolderID) bool {
	for _, f := range fs {
		if _, own := n.folders[f]; !own && !fixed(f) {
			return false
		}
	}
	return true
}

// children are the folders below one; of "" those at the top.
func (n *naive) children(of parley.FolderID) (out []parley.Folder) {
	for _, f := range n.folders {
		if f.Parent == of {
			out = append(out, f)
		}
	}
	return out
}

// levels counts how deep the tree is below a folder, it included.
func (n *naive) levels(f parley.FolderID) int {
	deepest := 0
	for _, c := range n.children(f) {
		deepest = max(deepest, n.levels(c.ID))
	}
	return 1 + deepest
}

// fits judges a folder as it would be.
func (n *naive) fits(f parley.Folder) error {
	if f.Name == "" || strings.ContainsRune(f.Name, '\u202e') {
		return parley.E(parley.BadRequest, "", "")
	}
	above, seen := 0, f.Parent
	for ; seen != ""; above++ {
		p, own := n.folders[seen]
		switch {
		case (len(ofLabels([]parley.FolderID{seen})) > 0) != (f.Kind == parley.KindLabel), seen == parley.Trash:
			return parley.E(parley.BadRequest, "", "")
		case !own && !fixed(seen):
			return parley.E(parley.NotFound, "", "")
		case seen == f.ID:
			return parley.E(parley.BadRequest, "", "")
		}
		seen = p.Parent
	}
	if above+n.levels(f.ID) > parley.MaxFolderDepth {
		return parley.E(parley.BadRequest, "", "")
	}
	names := []string{}
	for _, s := range n.children(f.Parent) {
		if s.ID != f.ID {
			names = append(names, s.Name)
		}
	}
	if f.Parent == "" {
		names = append(names, "Inbox", "Other", "Archive", "Sent", "Drafts", "Spam", "Trash")
	}
	if slices.ContainsFunc(names, func(s string) bool { return strings.EqualFold(s, f.Name) }) {
		return parley.E(parley.Conflict, "", "")
	}
	return nil
}

func (n *naive) createFolder(c mailbox.CreateFolder) (mailbox.Reply, error) {
	if n.closed {
		return mailbox.Reply{}, parley.E(parley.Gone, "", "")
	}
	if _, here := n.folders[c.ID]; here {
		return mailbox.Reply{}, parley.E(parley.Conflict, "", "")
	}
	f := parley.Folder{ID: c.ID, Name: c.Name, Kind: "folder", Parent: c.Parent, Color: c.Color}
	if len(ofLabels([]parley.FolderID{c.ID})) > 0 {
		f.Kind = "label"
	}
	if err := n.fits(f); err != nil {
		return mailbox.Reply{}, err
	}
	f.Revision = n.step()
	n.folders[c.ID] = f
	return mailbox.Reply{Folder: c.ID}, nil
}

// mayChange says why a folder stays as it is.
func (n *naive) mayChange(id parley.FolderID, ifMatch parley.Revision) error {
	f, own := n.folders[id]
	switch {
	case fixed(id):
		return parley.E(parley.NotPermitted, "", "")
	case !own:
		return parley.E(parley.NotFound, "", "")
	case ifMatch != 0 && ifMatch != f.Revision:
		return parley.E(parley.Stale, "", "")
	}
	return nil
}

func (n *naive) changeFolder(c mailbox.ChangeFolder) (mailbox.Reply, error) {
	if err := n.mayChange(c.ID, c.IfMatch); err != nil {
		return mailbox.Reply{}, err
	}
	was := n.folders[c.ID]
	f := was
	if c.Change.Name != nil {
		f.Name = *c.Change.Name
	}
	if c.Change.Parent != nil {
		f.Parent = *c.Change.Parent
	}
	if c.Change.Color != nil {
		f.Color = *c.Change.Color
	}
	if err := n.fits(f); err != nil {
		return mailbox.Reply{}, err
	}
	if f != was {
		f.Revision = n.step()
		n.folders[c.ID] = f
	}
	return mailbox.Reply{Folder: c.ID}, nil
}

// deleteFolder takes every message out of the folder; one that would be nowhere
// goes where the command says.
func (n *naive) deleteFolder(c mailbox.DeleteFolder) (mailbox.Reply, error) {
	if err := n.mayChange(c.ID, c.IfMatch); err != nil {
		return mailbox.Reply{}, err
	}
	var out, trashed, gone []*note
	for _, m := range n.messages {
		if !m.in(c.ID) {
			continue
		}
		only := len(without(m.Folders, append(ofLabels(m.Folders), c.ID)...)) == 0
		switch {
		case only && c.Messages == parley.LeaveTrash:
			trashed = append(trashed, m)
		case only && c.Messages == parley.LeaveRemove:
			gone = append(gone, m)
		default:
			out = append(out, m)
		}
	}
	used := len(out)+len(trashed)+len(gone) > 0
	if len(n.children(c.ID)) > 0 || used && c.Messages == parley.LeaveNone {
		return mailbox.Reply{}, parley.E(parley.Conflict, "", "")
	}
	for _, m := range out {
		m.move(without(m.Folders, c.ID))
	}
	n.stamp(out)
	for _, m := range trashed {
		m.move([]parley.FolderID{parley.Trash})
	}
	n.stamp(trashed)
	if len(gone) > 0 {
		n.purge(gone)
	}
	n.step()
	delete(n.folders, c.ID)
	return mailbox.Reply{Folder: c.ID}, nil
}

// shown is the list of folders: the fixed ones, then one's own with what is below
// behind, siblings by name.
func (n *naive) shown() (out []parley.Folder) {
	for _, id := range parley.FixedFolders {
		name := strings.ToUpper(string(id[:1])) + string(id[1:])
		out = append(out, parley.Folder{ID: id, Name: name, Role: string(id), Kind: "folder", Counts: n.counts(id)})
	}
	var below func(parley.FolderID)
	below = func(of parley.FolderID) {
		fs := n.children(of)
		slices.SortFunc(fs, func(a, b parley.Folder) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
		for _, f := range fs {
			f.Counts = n.counts(f.ID)
			out = append(out, f)
			below(f.ID)
		}
	}
	for _, top := range append(parley.FixedFolders[:], "") {
		below(top)
	}
	return out
}
