// Package reference makes a page for people of the document that describes /v1:
// every operation with its parameters, bodies, answers and refusals, every
// schema with an example, and a request for curl.
//
// It promises a page that needs no script and nothing from elsewhere, so that the
// strictest policy fits it (Page.Policy), and that what the document says is
// escaped. What stands there is the document's alone.
package reference

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the templates and the style
	"encoding/base64"
	"fmt"
	"html/template"

	"github.com/parley-im/parley/internal/openapi"
)

var (
	//go:embed page.tmpl
	pageText string
	//go:embed front.tmpl
	frontText string
	//go:embed style.css
	style string
)

// Page is HTML and the Content-Security-Policy under which it works.
type Page struct {
	HTML   []byte
	Policy string
}

// Render makes the page of a document.
func Render(document []byte) (Page, error) {
	d, err := openapi.Parse(document)
	if err != nil {
		return Page{}, err
	}
	v := &view{doc: d, Style: template.CSS(style), Info: d.Info, Prefix: d.Prefix()}
	v.fill()
	return page(pageText, v)
}

// Front makes the page of a server's root, which leads to the other.
func Front(prefix string) (Page, error) {
	return page(frontText, &view{Style: template.CSS(style), Prefix: prefix})
}

func page(text string, v *view) (Page, error) {
	t, err := template.New("page").Parse(text)
	if err != nil {
		return Page{}, fmt.Errorf("reference: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return Page{}, fmt.Errorf("reference: %w", err)
	}
	return Page{out.Bytes(), policy()}, nil
}

// policy allows the one style that is in the page, by its hash, and nothing else.
func policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
