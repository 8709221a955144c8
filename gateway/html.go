package gateway

import (
	"context"
	"net/http"
	"strconv"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/mail/quote"
	"github.com/parley-im/parley/mail/safehtml"
)

// What a browser may do with the HTML of a message, even where the sanitizer
// errs: show it, load pictures of this server, and open links elsewhere, outside
// of the sandbox. A frame that is filled by script has no headers, so most of it
// stands in the document too.
const (
	htmlLoads       = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; img-src 'self'"
	htmlLoadsRemote = htmlLoads + " https: http:"
	htmlFrame       = "sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'; "
)

// getMessageHTML gives the HTML of a message as a document that is safe to show.
func (g *Gateway) getMessageHTML(ctx context.Context, a user) (*edge.Reply, error) {
	id, err := edge.ID[parley.MessageID](a.Req, "message")
	if err != nil {
		return nil, err
	}
	remote, err := wantsRemote(a.Req)
	if err != nil {
		return nil, err
	}
	if err := g.reached(ctx, a); err != nil {
		return nil, err
	}
	body, err := g.Mailboxes.HTML(ctx, a.Account, id)
	if err != nil {
		return nil, err
	}
	safe := g.html.Sanitize(body.HTML, safehtml.Options{Remote: remote, CID: partAddresses(body.Parts), Whole: quote.IsForward(body.Subject)})
	loads := htmlLoads
	if remote {
		loads = htmlLoadsRemote
	}
	r := &edge.Reply{Status: http.StatusOK, Write: written(a.Req, []byte(htmlDocument(loads, safe.HTML)))}
	r.Set("Content-Type", "text/html; charset=utf-8").Set("Content-Security-Policy", htmlFrame+loads)
	return r.Set("Parley-Remote-Blocked", strconv.Itoa(safe.Blocked)), nil
}

func wantsRemote(c *edge.Call) (bool, error) {
	switch v := c.Query.Get("remote"); {
	case v == "yes":
		return true, nil
	case v != "no" && c.Query.Has("remote"):
		return false, edge.Bad("remote", "yes or no.")
	}
	return false, nil
}

// partAddresses are where the parts of a message are, by Content-ID. Of two with
// one id, the first counts.
func partAddresses(parts []parley.Attachment) map[string]string {
	m := map[string]string{}
	for _, p := range parts {
		if p.CID != "" && m[p.CID] == "" {
			m[p.CID] = prefix + "/blobs/" + string(p.Blob)
		}
	}
	return m
}

func htmlDocument(loads, body string) string {
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + loads +
		`"><meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width"></head><body>` + body + `</body></html>`
}

// written answers with bytes that are no JSON.
func written(c *edge.Call, b []byte) func(http.ResponseWriter) error {
	return func(w http.ResponseWriter) error {
		w.Header().Set("Content-Length", strconv.Itoa(len(b)))
		w.WriteHeader(http.StatusOK)
		if c.HTTP.Method == http.MethodHead {
			return nil
		}
		_, err := w.Write(b)
		return err
	}
}
