package edge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/parley-im/parley"
)

type parser struct {
	ParseConfig
	held atomic.Int64
}

// read takes a whole body, if there is room for it.
func (p *parser) read(c *Call, most int64) ([]byte, error) {
	size := c.HTTP.ContentLength
	if size > most {
		return nil, tooLarge(most)
	}
	if size < 0 {
		size = most // chunked
	}
	if p.held.Add(size) > p.MaxHeld {
		p.held.Add(-size)
		return nil, parley.E(parley.Unavailable, "gateway.parse", "Too many bodies at once. Try again.")
	}
	defer p.held.Add(-size)
	c.sent = &bounded{ReadCloser: c.HTTP.Body, ctx: c.HTTP.Context(), control: c.Control, timeout: p.Timeout, hurry: p.Hurry, max: most, left: most, whole: true}
	var data bytes.Buffer
	_, err := data.ReadFrom(c.sent)
	return data.Bytes(), err
}

// bounded is a body that ends with an error of ours when it is too large, too
// slow, or cut. Each read has its time; or all of them together, when whole.
type bounded struct {
	io.ReadCloser
	ctx       context.Context
	control   *http.ResponseController
	timeout   time.Duration
	hurry     *Hurry
	max, left int64
	whole     bool
	begun     bool
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, parley.Wrap(parley.Unavailable, "gateway.parse", err)
	}
	b.hurry.wait(b, !b.begun || !b.whole)
	b.begun = true
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1] // one more shows that there is more
	}
	n, err := b.ReadCloser.Read(p)
	draining := b.hurry.done(b)
	if b.left -= int64(n); b.left < 0 {
		return 0, tooLarge(b.max)
	}
	switch {
	case err == io.EOF:
		// The connection is watched for a hang-up from here on, without a deadline.
		_ = b.control.SetReadDeadline(time.Time{})
	case draining && errors.Is(err, os.ErrDeadlineExceeded):
		return n, parley.E(parley.Unavailable, "gateway.parse", "The server shuts down. Try again.")
	case err != nil:
		err = cut(err)
	}
	return n, err
}

// until sets the end of the wait. One that has passed stays: net/http, too, looks
// for the rest of the body.
func (b *bounded) until(within time.Duration) {
	_ = b.control.SetReadDeadline(time.Now().Add(within)) // httptest's writer has none
}

func cut(err error) error {
	switch {
	case err == io.EOF:
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Fault{Status: http.StatusRequestTimeout, Code: "too_slow", Public: "The body came too slowly."}
	}
	return &parley.Error{Code: parley.BadRequest, Op: "gateway.parse", Public: "The body ended early.", Err: err}
}

func tooLarge(most int64) error {
	return parley.E(parley.TooLarge, "gateway.parse", fmt.Sprintf("The body may have %d bytes.", most))
}

// wantJSON refuses other types. A browser sends application/json across origins
// only after asking, so this also keeps other sites' forms out.
func wantJSON(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	if err != nil || kind != "application/json" || (charset != "" && charset != "utf-8") {
		return &Fault{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Public: "Send application/json.", Field: "Content-Type"}
	}
	if e := h.Get("Content-Encoding"); e != "" && e != "identity" {
		return &Fault{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type", Public: "Send the body without an encoding.", Field: "Content-Encoding"}
	}
	return nil
}

// digest frames its parts, so that no two requests share one.
func digest(parts ...string) parley.Digest {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	var d parley.Digest
	h.Sum(d[:0])
	return d
}
