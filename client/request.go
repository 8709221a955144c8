package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// request is one call: what the document says of it, then what options add.
type request struct {
	op, method, path string
	keyed, open      bool
	body             any       // as JSON; nil: none
	content          io.Reader // bytes instead
	kind             string    // their media type
	params           *wire
	stream           bool // the answer is read by the caller

	key, ifMatch string
	account      AccountID
	size         int64
	keep         *Answer

	text     []byte  // of body
	upload   *upload // of content
	attempts int
}

// wire is what goes into the query and the header.
type wire struct {
	values url.Values
	head   http.Header
}

func (r *request) wire() *wire {
	if r.params == nil {
		r.params = new(wire)
	}
	return r.params
}

func (w *wire) query(name string) func(string) {
	return func(value string) {
		if w.values == nil {
			w.values = url.Values{}
		}
		w.values.Add(name, value)
	}
}

func (w *wire) header(name string) func(string) {
	return func(value string) {
		if w.head == nil {
			w.head = http.Header{}
		}
		w.head.Set(name, value)
	}
}

func text[S ~string](set func(string), value S) {
	if value != "" {
		set(string(value))
	}
}

// fill puts values into the {names} of a path, each escaped, so that a slash in
// one stays inside its part.
func fill(path string, values ...string) string {
	var out strings.Builder
	for _, v := range values {
		before, rest, _ := strings.Cut(path, "{")
		_, path, _ = strings.Cut(rest, "}")
		out.WriteString(before + url.PathEscape(v))
	}
	return out.String() + path
}

// prepare settles what every attempt sends alike.
func (c *Client) prepare(r *request, opts []Option) error {
	r.account = c.cfg.Account
	for _, opt := range opts {
		opt(r)
	}
	if r.keyed && r.key == "" {
		r.key = newKey()
	}
	if r.content != nil {
		r.upload = uploadOf(r.content, r.size)
	}
	if r.body == nil {
		return nil
	}
	var err error
	if r.text, err = json.Marshal(r.body); err != nil {
		return fmt.Errorf("client: %s: %w", r.op, err)
	}
	if string(r.text) == "null" {
		r.text = nil // a body that may be left out
	}
	return nil
}

// release leaves the caller's reader to the caller.
func (r *request) release() {
	if r.upload != nil {
		r.upload.stop()
	}
}

// http makes the request of one attempt.
func (c *Client) http(ctx context.Context, r *request) (*http.Request, error) {
	h, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, nil)
	if err != nil {
		return nil, fmt.Errorf("client: %s: %w", r.op, err)
	}
	w := r.wire()
	h.URL.RawQuery = w.values.Encode()
	for name, values := range w.head {
		h.Header[name] = values
	}
	set := func(name, value string) { text(func(v string) { h.Header.Set(name, v) }, value) }
	set("Idempotency-Key", r.key)
	set("If-Match", r.ifMatch)
	if !r.open {
		set("Parley-Account", string(r.account))
		if c.cfg.Token != "" {
			set("Authorization", "Bearer "+c.cfg.Token)
		}
	}
	return h, r.load(h)
}

// load gives the request its body: JSON, or bytes from where they began.
func (r *request) load(h *http.Request) (err error) {
	switch {
	case r.text != nil:
		h.Header.Set("Content-Type", "application/json")
		h.Body, h.ContentLength = io.NopCloser(bytes.NewReader(r.text)), int64(len(r.text))
		h.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.text)), nil }
	case r.upload != nil:
		if r.kind != "" && r.kind != "*/*" {
			h.Header.Set("Content-Type", r.kind)
		}
		h.Body, h.ContentLength, err = r.upload.again()
	}
	return err
}
