package gateway

import (
	"cmp"
	"context"
	"regexp"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// Foldering is what the gateway needs to change folders and labels.
type Foldering interface {
	Folder(ctx context.Context, acc parley.AccountID, id parley.FolderID, atLeast parley.Revision) (parley.Folder, parley.Revision, error)
	CreateFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, n parley.NewFolder) (id parley.FolderID, rev parley.Revision, replayed bool, err error)
	ChangeFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.FolderID, c parley.FolderChange) (rev parley.Revision, replayed bool, err error)
	// DeleteFolder fails with Conflict for a folder with messages, unless left
	// says what becomes of them, and for one with others below it.
	DeleteFolder(ctx context.Context, acc parley.AccountID, cmd parley.Command, ifMatch parley.Revision, id parley.FolderID, left parley.Leaving) (rev parley.Revision, replayed bool, err error)
}

func (g *Gateway) folderRoutes() []edge.Route {
	read, write := scopes{parley.ScopeRead}, scopes{parley.ScopeWrite}
	return []edge.Route{
		edge.Plain(edge.Route{Method: "GET", Path: "/folders", Name: "listFolders", Scopes: read, Query: reading}, g.listFolders),
		edge.Bodied(edge.Route{Method: "POST", Path: "/folders", Name: "createFolder", Scopes: write, Key: edge.MustKey}, g.createFolder),
		edge.Plain(edge.Route{Method: "GET", Path: "/folders/{folder}", Name: "getFolder", Scopes: read, Query: reading}, g.getFolder),
		edge.Bodied(edge.Route{Method: "PATCH", Path: "/folders/{folder}", Name: "updateFolder", Scopes: write, Key: edge.MayKey, IfMatch: true}, g.updateFolder),
		edge.Plain(edge.Route{Method: "DELETE", Path: "/folders/{folder}", Name: "deleteFolder", Scopes: write, Query: []string{"messages"}, Key: edge.MayKey, IfMatch: true}, g.deleteFolder),
	}
}

// newFolder asks for a folder or label.
type newFolder struct {
	Name   string          `json:"name"`
	Parent parley.FolderID `json:"parent"`
	Kind   string          `json:"kind"`
	Color  string          `json:"color"`
}

// Sanitize holds the fields to what a folder may have.
func (b *newFolder) Sanitize(t *edge.Texts) {
	b.Kind = cmp.Or(b.Kind, parley.KindFolder)
	if b.Kind != parley.KindFolder && b.Kind != parley.KindLabel {
		t.Fail(edge.Bad("kind", "folder or label."))
	}
	folderFields(t, &b.Name, &b.Parent, &b.Color)
}

var colors = regexp.MustCompile("^(#[0-9a-f]{6})?$")

// folderFields checks those that are there.
func folderFields(t *edge.Texts, name *string, parent *parley.FolderID, color *string) {
	if name != nil {
		if t.Line("name", name, parley.MaxFolderName); *name == "" {
			t.Fail(edge.Bad("name", "A folder has a name."))
		}
		if parley.Misleads(*name) {
			t.Fail(edge.Bad("name", "A name has no marks that turn the direction of text."))
		}
	}
	if parent != nil && *parent != "" && !parent.Valid() {
		t.Fail(noSuch("parent", "folder"))
	}
	if color != nil && !colors.MatchString(*color) {
		t.Fail(edge.Bad("color", "#rrggbb, in lower case, or empty."))
	}
}

func (g *Gateway) createFolder(ctx context.Context, a with[newFolder]) (*edge.Reply, error) {
	b := a.Req.Body
	n := parley.NewFolder{Name: b.Name, Parent: b.Parent, Label: b.Kind == parley.KindLabel, Color: b.Color}
	id, rev, replayed, err := g.Mailboxes.CreateFolder(ctx, a.Account, a.Req.Command, n)
	if err != nil {
		return nil, err
	}
	f, rev, err := g.Mailboxes.Folder(ctx, a.Account, id, rev)
	if err = since(replayed, err); err != nil {
		return nil, err
	}
	r := edge.Created(prefix+"/folders/"+string(id), folderShape(f))
	return r.Tag(uint64(f.Revision)).At(rev).Repeat(replayed), nil
}

func (g *Gateway) getFolder(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.FolderID](a.Req, "folder")
	if err != nil {
		return nil, err
	}
	atLeast, err := a.Req.AtLeast()
	if err != nil {
		return nil, err
	}
	return g.folderAt(ctx, a.Account, id, atLeast)
}

// folderAt reads a folder as of a revision.
func (g *Gateway) folderAt(ctx context.Context, acc parley.AccountID, id parley.FolderID, atLeast parley.Revision) (*edge.Reply, error) {
	f, rev, err := g.Mailboxes.Folder(ctx, acc, id, atLeast)
	if err != nil {
		return nil, err
	}
	return edge.OK(folderShape(f)).Tag(uint64(f.Revision)).At(rev), nil
}

// folderChange leaves what is absent.
type folderChange struct {
	Name   *string          `json:"name"`
	Parent *parley.FolderID `json:"parent"`
	Color  *string          `json:"color"`
}

// Sanitize holds the fields to what a folder may have.
func (b *folderChange) Sanitize(t *edge.Texts) {
	if b.Name == nil && b.Parent == nil && b.Color == nil {
		t.Fail(edge.Bad("", "There is nothing to change."))
	}
	folderFields(t, b.Name, b.Parent, b.Color)
}

func (g *Gateway) updateFolder(ctx context.Context, a with[folderChange]) (*edge.Reply, error) {
	id, err := edge.ID[parley.FolderID](a.Req.Call, "folder")
	if err != nil {
		return nil, err
	}
	rev, replayed, err := g.Mailboxes.ChangeFolder(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id, parley.FolderChange(*a.Req.Body))
	if err != nil {
		return nil, err
	}
	return repeated(replayed)(g.folderAt(ctx, a.Account, id, rev))
}

func (g *Gateway) deleteFolder(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.FolderID](a.Req, "folder")
	if err != nil {
		return nil, err
	}
	left := parley.Leaving(a.Req.Query.Get("messages"))
	switch left {
	case parley.LeaveArchive, parley.LeaveTrash, parley.LeaveRemove:
	default:
		if a.Req.Query.Has("messages") {
			return nil, edge.Bad("messages", "archive, trash or remove.")
		}
	}
	return deleted(g.Mailboxes.DeleteFolder(ctx, a.Account, a.Req.Command, parley.Revision(a.Req.IfMatch), id, left))
}
