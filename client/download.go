package client

import (
	"context"
	"io"
	"mime"
	"net/http"
)

// Download is an answer of bytes. Who got it closes it.
type Download struct {
	io.ReadCloser
	Status int    // 200, 206 for a part, 304 for what the caller has
	Type   string // media type, as declared: not to be trusted
	Name   string // of the file, as declared: no path
	Size   int64  // bytes that come; -1: not known
	ETag   string
	Range  string // of a part: "bytes 0-99/48000"
}

func (c *Client) download(ctx context.Context, r *request, opts []Option) (*Download, error) {
	r.stream = true
	rep, err := c.do(ctx, r, opts)
	if err != nil {
		return nil, err
	}
	d := &Download{ReadCloser: rep.rest, Status: rep.status, Size: rep.length, ETag: rep.header.Get("ETag"), Range: rep.header.Get("Content-Range")}
	d.Type = rep.header.Get("Content-Type")
	// RFC 6266; a header that cannot be read names nothing.
	if _, params, err := mime.ParseMediaType(rep.header.Get("Content-Disposition")); err == nil {
		d.Name = params["filename"]
	}
	if rep.status == http.StatusNotModified {
		d.Size = 0
	}
	return d, nil
}
