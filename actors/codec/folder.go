package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

func folderTree(t *mailbox.FolderTree) *record.FolderTree {
	return &record.FolderTree{Own: each(t.Own, ownFolder)}
}

func (r *reader) folderTree(t *record.FolderTree) *mailbox.FolderTree {
	return &mailbox.FolderTree{Own: each(t.GetOwn(), r.ownFolder)}
}

func ownFolder(f mailbox.OwnFolder) *record.OwnFolder {
	fixed, parent := folder(f.Parent)
	return &record.OwnFolder{
		Id: string(f.ID), Name: f.Name, FixedParent: fixed, Parent: parent, Color: f.Color, Revision: uint64(f.Revision),
	}
}

func (r *reader) ownFolder(f *record.OwnFolder) mailbox.OwnFolder {
	return mailbox.OwnFolder{
		ID: parley.FolderID(f.GetId()), Name: f.GetName(), Parent: r.folder(f.GetFixedParent(), f.GetParent()),
		Color: f.GetColor(), Revision: parley.Revision(f.GetRevision()),
	}
}

func folderSet(s *mailbox.FolderSet) *record.FolderSet {
	return &record.FolderSet{Folder: ownFolder(s.Folder), Created: s.Created}
}

func (r *reader) folderSet(s *record.FolderSet) *mailbox.FolderSet {
	return &mailbox.FolderSet{Folder: r.ownFolder(s.GetFolder()), Created: s.GetCreated()}
}
