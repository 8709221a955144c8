package gateway

import (
	"cmp"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func (g *Gateway) blobRoutes() []edge.Route {
	read := scopes{parley.ScopeRead}
	return []edge.Route{
		edge.Plain(edge.Route{
			Method: "POST", Path: "/blobs", Name: "uploadBlob", Scopes: scopes{parley.ScopeSend, parley.ScopeWrite},
			Query: []string{"name"}, Key: edge.MustKey, Timing: edge.Transfer, Stream: true,
		}, g.uploadBlob),
		edge.Plain(edge.Route{Method: "GET", Path: "/blobs/{blob}", Name: "getBlob", Scopes: read, Query: reading, Timing: edge.Transfer}, g.getBlob),
		edge.Plain(edge.Route{Method: "HEAD", Path: "/blobs/{blob}", Name: "headBlob", Scopes: read, Query: reading, Timing: edge.Transfer}, g.getBlob),
	}
}

const anyBytes = "application/octet-stream"

func (g *Gateway) uploadBlob(ctx context.Context, a user) (*edge.Reply, error) {
	name := a.Req.Query.Get("name")
	if utf8.RuneCountInString(name) > maxName {
		return nil, edge.Bad("name", "At most 255 characters.")
	}
	kind, ok := mediaType(cmp.Or(a.Req.HTTP.Header.Get("Content-Type"), anyBytes))
	if !ok {
		return nil, edge.Bad("Content-Type", "That is no media type.")
	}
	att, replayed, err := g.Mailboxes.Upload(ctx, a.Account, a.Req.Command, name, kind, a.Req.HTTP.Body)
	if err != nil {
		return nil, err
	}
	return edge.Created(prefix+"/blobs/"+string(att.Blob), attachmentShape(att)).Repeat(replayed), nil
}

// mediaType brings a type to its canonical form.
func mediaType(s string) (string, bool) {
	kind, params, err := mime.ParseMediaType(s)
	if err != nil || !strings.Contains(kind, "/") || len(s) > maxName {
		return "", false
	}
	s = mime.FormatMediaType(kind, params)
	return s, s != ""
}

// getBlob serves GET and HEAD.
func (g *Gateway) getBlob(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.BlobID](a.Req, "blob")
	if err != nil {
		return nil, err
	}
	if err := g.reached(ctx, a); err != nil {
		return nil, err
	}
	blob, err := g.Mailboxes.OpenBlob(ctx, a.Account, id)
	if err != nil {
		return nil, err
	}
	a.Req.OnDone(func(edge.Done) { blob.Close() })
	r := &edge.Reply{Status: http.StatusOK, Write: func(w http.ResponseWriter) error {
		return serveContent(w, a.Req.HTTP, io.NewSectionReader(blob, 0, blob.Attachment.Size))
	}}
	kind, ok := mediaType(blob.Attachment.Type)
	if !ok {
		kind = anyBytes
	}
	// An attachment, whatever it is: HTML or SVG of strangers must not run here.
	r.Set("Content-Type", kind).Set("Content-Disposition", disposition(cmp.Or(blob.Attachment.Name, string(id))))
	// A blob never changes under its name, but the right to read it may end.
	return r.Set("ETag", `"`+string(id)+`"`).Set("Cache-Control", "private, no-cache"), nil
}

// serveContent leaves ranges and conditions to net/http, and takes back its
// refusals, which are plain text.
func serveContent(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) error {
	t := &taken{ResponseWriter: w}
	http.ServeContent(t, r, "", time.Time{}, content)
	switch t.status {
	case 0:
		return nil
	case http.StatusPreconditionFailed:
		return parley.E(parley.Stale, "gateway.blobs", "")
	case http.StatusRequestedRangeNotSatisfiable:
		return &edge.Fault{Status: t.status, Code: "range_not_satisfiable", Public: "The range lies outside the blob.", Field: "Range"}
	}
	return parley.E(parley.Internal, "gateway.blobs", "")
}

// taken keeps a refusal from being written.
type taken struct {
	http.ResponseWriter
	status int
}

func (t *taken) WriteHeader(status int) {
	if status >= 300 {
		t.Header().Del("Content-Disposition") // there is nothing to name
	}
	if status >= 400 {
		t.status = status
		return
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *taken) Write(b []byte) (int, error) {
	if t.status != 0 {
		return len(b), nil
	}
	return t.ResponseWriter.Write(b)
}
