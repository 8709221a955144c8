package edge

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/strict"
	"github.com/parley-im/parley/service"
)

// ParseConfig bounds what is read.
type ParseConfig struct {
	MaxBody   int64         // of a JSON body
	MaxUpload int64         // of bytes
	MaxHeld   int64         // of all JSON bodies at once, since they are read before anybody is authenticated
	Timeout   time.Duration // for a body, and for each part of an upload
	Hurry     *Hurry        // ends waits when the server drains; nil never
}

// Parse reads query, headers and JSON body into the call, and refuses what the
// route does not have.
func Parse(cfg ParseConfig) Filter {
	p := &parser{ParseConfig: cfg}
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (rep *Reply, err error) {
		if body := c.HTTP.Body; body != nil && body != http.NoBody {
			defer func() {
				if err != nil {
					p.drain(c, body, err)
				}
			}()
		}
		if c.Route.Name != unknown {
			err = p.parse(ctx, c)
		}
		if err != nil {
			return nil, err
		}
		return next(ctx, c)
	}
}

func (p *parser) parse(ctx context.Context, c *Call) error {
	if err := parseQuery(c); err != nil {
		return err
	}
	if err := parseKey(c); err != nil {
		return err
	}
	if err := parseIfMatch(c); err != nil {
		return err
	}
	return p.body(ctx, c)
}

func parseQuery(c *Call) error {
	if c.HTTP.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(c.HTTP.URL.RawQuery)
	if err != nil {
		return Bad("", "The query cannot be read.")
	}
	for name, values := range query {
		if !slices.Contains(c.Route.Query, name) {
			return &parley.Error{Code: parley.UnknownField, Op: "gateway.parse", Public: "There is no such parameter.", Field: name}
		}
		if len(values) > 1 {
			return Bad(name, "The parameter is there twice.")
		}
	}
	c.Query = query
	return nil
}

// body reads what the route says that there is.
func (p *parser) body(ctx context.Context, c *Call) error {
	switch {
	case c.Route.Stream:
		return p.upload(ctx, c)
	case c.Route.HasBody():
		return p.json(c)
	case c.safe():
		return nil // what a GET carries has no meaning (RFC 9110 9.3.1) and is not read
	default:
		return p.none(c)
	}
}

func (p *parser) json(c *Call) error {
	if err := wantJSON(c.HTTP.Header); err != nil {
		return err
	}
	data, err := p.read(c, p.MaxBody)
	if err != nil {
		return err
	}
	if c.body, err = c.Route.decode(data); err != nil {
		return err
	}
	canonical, err := strict.Canonical(data)
	if err != nil {
		return parley.Wrap(parley.BadJSON, "gateway.parse", err)
	}
	c.digest = digest(c.HTTP.Method, c.HTTP.URL.EscapedPath(), string(canonical))
	return nil
}

// none takes no body, or the empty object that some clients always send.
func (p *parser) none(c *Call) error {
	c.digest = digest(c.HTTP.Method, c.HTTP.URL.EscapedPath(), "")
	if c.HTTP.Body == nil || c.HTTP.Body == http.NoBody {
		return nil
	}
	const enough = 64
	data, err := p.read(c, enough)
	if data = bytes.TrimSpace(data); parley.CodeOf(err) == parley.TooLarge || err == nil && len(data) > 0 && string(data) != "{}" {
		return parley.E(parley.BadJSON, "gateway.parse", "This request has no body.")
	}
	return err
}

// upload leaves the bytes to the service, but bounded. Their digest is known
// only when they have all come, so the store compares it.
func (p *parser) upload(ctx context.Context, c *Call) error {
	if c.HTTP.ContentLength > p.MaxUpload {
		return tooLarge(p.MaxUpload)
	}
	c.digest = digest(c.HTTP.Method, c.HTTP.URL.EscapedPath(), c.HTTP.Header.Get("Content-Type"), c.Query.Get("name"))
	c.sent = &bounded{ReadCloser: c.HTTP.Body, ctx: ctx, control: c.Control, timeout: p.Timeout, hurry: p.Hurry, max: p.MaxUpload, left: p.MaxUpload}
	c.HTTP.Body = c.sent
	return nil
}
