package safehtml

import (
	"github.com/microcosm-cc/bluemonday"
)

// Options say what one message may show.
type Options struct {
	// Remote lets pictures and backgrounds be loaded from elsewhere; otherwise
	// their addresses stand in attributes that load nothing.
	Remote bool
	// CID gives the address of each part of this message that HTML may show, by
	// Content-ID without <>. Addresses are rooted paths, such as /v1/blobs/x.
	CID map[string]string
	// Whole leaves quoted history and signatures unfolded, as in a message that was
	// made to pass something on.
	Whole bool
}

// Result is what may be shown.
type Result struct {
	HTML    string // a fragment for a body
	Blocked int    // pictures and backgrounds that were not let load
	Cut     bool   // a bound was met: elements were left out, or the end
}

// Policy is what passes. It holds no state, so one serves all messages.
type Policy struct {
	blocked, open *bluemonday.Policy
}

// New makes the policy; there is one.
func New() *Policy {
	return &Policy{blocked: gate(false), open: gate(true)}
}

// Bounds of one message. What is beyond them is left out, and Result.Cut says so.
const (
	MaxBytes    = 4 << 20
	maxElements = 50_000
	maxDepth    = 200 // browsers stop at 512
	maxAttrs    = 64  // of one element
	maxValue    = 8 << 10
)

// Sanitize takes any bytes.
func (p *Policy) Sanitize(src string, o Options) Result {
	text, cut := bounded(src)
	b := first(text, o)
	out := Result{HTML: b.html(), Blocked: b.blocked, Cut: cut || b.cut}
	second := p.blocked
	if o.Remote {
		second = p.open
	}
	out.HTML = second.Sanitize(out.HTML)
	return out
}

// first is the first gate.
func first(text string, o Options) *builder {
	b := build(text, o)
	if !o.Whole {
		b.fold()
	}
	return b
}

// gate is the second gate. It is made of the same tables.
func gate(remote bool) *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	for name, el := range elements {
		p.AllowElements(name)
		p.AllowNoAttrs().OnElements(name)
		for attr, form := range el.attrs {
			p.AllowAttrs(attr).Matching(form).OnElements(name)
		}
	}
	for attr, form := range everywhere {
		p.AllowAttrs(attr).Matching(form).Globally()
	}
	p.AllowAttrs("href").Matching(formLink).OnElements("a")
	p.AllowAttrs("rel").Matching(exactly(linkRel)).OnElements("a")
	p.AllowAttrs("target").Matching(exactly(linkTarget)).OnElements("a")
	p.AllowAttrs("src").Matching(formPath).OnElements("img")
	for name, attr := range loads {
		p.AllowAttrs(heldBack + attr).Matching(formRemote).OnElements(name)
		if remote {
			p.AllowAttrs(attr).Matching(formRemote).OnElements(name)
		}
	}
	return p
}
