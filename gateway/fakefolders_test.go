package gateway

import (
	"context"
	"slices"

	"github.com/parley-im/parley"
)

// boats is a folder of Ana's, urgent a label.
var (
	boats  = parley.FolderID(idOf[string]("fld_", "boats"))
	urgent = parley.FolderID(idOf[string]("lbl_", "urgent"))
)

func furnishFolders() (all []parley.Folder) {
	for _, id := range parley.FixedFolders {
		all = append(all, parley.Folder{ID: id, Name: string(id), Role: string(id), Kind: "folder", Counts: parley.Counts{Messages: 1}})
	}
	return append(all,
		parley.Folder{ID: boats, Name: "Boats", Kind: "folder", Parent: parley.Archive, Revision: 3},
		parley.Folder{ID: urgent, Name: "urgent", Kind: "label", Color: "#cc0000", Counts: parley.Counts{Messages: 2, Threads: 1}, Revision: 4})
}

func (f *fake) Folders(ctx context.Context, acc parley.AccountID, atLeast parley.Revision) ([]parley.Folder, parley.Revision, error) {
	leave, err := f.enter(ctx, "Folders", acc)
	if err != nil {
		return nil, 0, err
	}
	defer leave()
	return slices.Clone(f.folders), f.rev, behind(atLeast, f.rev)
}

func (f *fake) Folder(ctx context.Context, acc parley.AccountID, id parley.FolderID, atLeast parley.Revision) (parley.Folder, parley.Revision, error) {
	leave, err := f.enter(ctx, "Folder", id)
	if err != nil {
		return parley.Folder{}, 0, err
	}
	defer leave()
	have := f.folder(id)
	if have == nil {
		return parley.Folder{}, 0, notFound("folder")
	}
	return *have, f.rev, behind(atLeast, f.rev)
}

func (f *fake) folder(id parley.FolderID) *parley.Folder {
	if i := slices.IndexFunc(f.folders, func(f parley.Folder) bool { return f.ID == id }); i >= 0 {
		return &f.folders[i]
	}
	return nil
}

func (f *fake) CreateFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewFolder) (parley.FolderID, parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "CreateFolder", n)
	if err != nil {
		return "", 0, false, err
	}
	defer leave()
	id, replayed, err := remember(f, cmd, func() (parley.FolderID, error) {
		if slices.ContainsFunc(f.folders, func(have parley.Folder) bool { return have.Name == n.Name }) {
			return "", &parley.Error{Code: parley.Conflict, Op: "fake", Public: "There is a folder of this name.", Field: "name"}
		}
		made := parley.Folder{ID: secret.Folder(cmd.ID, string(acc), n.Label), Name: n.Name, Kind: "folder", Parent: n.Parent, Color: n.Color}
		if n.Label {
			made.Kind = "label"
		}
		made.Revision = f.act(parley.Event{Type: parley.FolderCreated, Folder: made.ID, Cause: cmd.ID})
		f.folders = append(f.folders, made)
		return made.ID, nil
	})
	return id, f.rev, replayed, err
}

// own is a folder that may change.
func (f *fake) own(id parley.FolderID, ifMatch parley.Revision) (*parley.Folder, error) {
	have := f.folder(id)
	switch {
	case have == nil:
		return nil, notFound("folder")
	case id.IsFixed():
		return nil, parley.E(parley.NotPermitted, "fake", "This folder stays.")
	}
	return have, stale(uint64(ifMatch), uint64(have.Revision))
}

func (f *fake) ChangeFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.FolderID, c parley.FolderChange) (parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "ChangeFolder", c)
	if err != nil {
		return 0, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Revision, error) {
		have, err := f.own(id, ifMatch)
		if err != nil {
			return 0, err
		}
		set(&have.Name, c.Name)
		set(&have.Parent, c.Parent)
		set(&have.Color, c.Color)
		have.Revision = f.act(parley.Event{Type: parley.FolderUpdated, Folder: id, Cause: cmd.ID})
		return have.Revision, nil
	})
}

func (f *fake) DeleteFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.FolderID, left parley.Leaving) (parley.Revision, bool, error) {
	leave, err := f.enter(ctx, "DeleteFolder", left)
	if err != nil {
		return 0, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Revision, error) {
		have, err := f.own(id, ifMatch)
		if err != nil {
			return 0, err
		}
		if have.Counts.Messages > 0 && left == parley.LeaveNone {
			return 0, &parley.Error{Code: parley.Conflict, Op: "fake", Public: "It has messages.", Field: "messages"}
		}
		f.folders = slices.DeleteFunc(f.folders, func(f parley.Folder) bool { return f.ID == id })
		return f.act(parley.Event{Type: parley.FolderRemoved, Folder: id, Cause: cmd.ID}), nil
	})
}
