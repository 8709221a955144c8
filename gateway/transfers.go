package gateway

import (
	"context"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) transferRoutes() []edge.Route {
	return []edge.Route{
		edge.Bodied(edge.Route{Method: "POST", Path: "/imports", Name: "startImport", Scopes: scopes{parley.ScopeWrite}, Key: edge.MustKey}, g.startImport),
		edge.Bodied(edge.Route{Method: "POST", Path: "/exports", Name: "startExport", Scopes: scopes{parley.ScopeRead}, Key: edge.MustKey}, g.startExport),
	}
}

// newImport names an archive.
type newImport struct {
	Blob   parley.BlobID   `json:"blob"`
	Folder parley.FolderID `json:"folder"`
}

// Sanitize wants ids that are some.
func (b *newImport) Sanitize(t *edge.Texts) {
	if !b.Blob.Valid() {
		t.Fail(edge.Bad("blob", "This is no blob."))
	}
	wantFolder(t, b.Folder)
}

// newExport says what is wanted.
type newExport struct {
	Format parley.Format   `json:"format"`
	Folder parley.FolderID `json:"folder"`
}

var formats = []parley.Format{parley.FormatMbox, parley.FormatMaildir, parley.FormatEML}

// Sanitize chooses the format that loses nothing.
func (b *newExport) Sanitize(t *edge.Texts) {
	if b.Format == "" {
		b.Format = parley.FormatMaildir
	}
	if !slices.Contains(formats, b.Format) {
		t.Fail(edge.Bad("format", "One of mbox, maildir and eml."))
	}
	wantFolder(t, b.Folder)
}

func wantFolder(t *edge.Texts, f parley.FolderID) {
	if f != "" && !f.Valid() {
		t.Fail(edge.Bad("folder", "This is no folder."))
	}
}

func (g *Gateway) startImport(ctx context.Context, a with[newImport]) (*edge.Reply, error) {
	b := a.Req.Body
	o, err := g.Mailboxes.StartImport(ctx, a.Account, a.Req.Command, parley.NewImport{Blob: b.Blob, Folder: b.Folder})
	return g.accepted(ctx, a.Account, o, err)
}

func (g *Gateway) startExport(ctx context.Context, a with[newExport]) (*edge.Reply, error) {
	b := a.Req.Body
	o, err := g.Mailboxes.StartExport(ctx, a.Account, a.Req.Command, parley.NewExport{Format: b.Format, Folder: b.Folder})
	return g.accepted(ctx, a.Account, o, err)
}

// importShape is what an import came to so far.
type importShape struct {
	Blob    parley.BlobID   `json:"blob"`
	Folder  parley.FolderID `json:"folder,omitempty"`
	Added   int64           `json:"added"`
	Known   int64           `json:"known"`
	Refused int64           `json:"refused"`
	Skipped int64           `json:"skipped"`
}

// exportShape is what an export is about, and made.
type exportShape struct {
	Format    parley.Format   `json:"format"`
	Folder    parley.FolderID `json:"folder,omitempty"`
	Lost      int64           `json:"lost"`
	Blob      *attachment     `json:"blob,omitempty"`
	ExpiresAt time.Time       `json:"expires_at,omitzero"`
}

func importOf(j parley.Job) *importShape {
	if j.Kind != parley.JobImport {
		return nil
	}
	t := j.Transfer
	return &importShape{Blob: t.Blob, Folder: t.Folder, Added: t.Added, Known: t.Known, Refused: t.Refused, Skipped: t.Skipped}
}

func exportOf(j parley.Job) *exportShape {
	if j.Kind != parley.JobExport {
		return nil
	}
	t := j.Transfer
	out := &exportShape{Format: t.Format, Folder: t.Folder, Lost: t.Lost, ExpiresAt: t.ExpiresAt.UTC()}
	if t.Blob != "" {
		out.Blob = new(attachmentShape(parley.Attachment{Blob: t.Blob, Name: t.Name, Type: t.Type, Size: t.Size}))
	}
	return out
}
