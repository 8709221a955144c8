package reference

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/parley-im/parley/internal/openapi"
)

// origin stands for the reader's server.
const origin = "https://parley.example.org"

// curl is the operation as words of a command. $TOKEN is left to the shell.
func curl(d *openapi.Document, op *openapi.Operation) []string {
	line := []string{"curl"}
	switch op.Method {
	case "head":
		line = append(line, "--head")
	case "get", "post":
	default:
		line = append(line, "-X", strings.ToUpper(op.Method))
	}
	if op.Responses.At("200") != nil && op.Responses.At("200").Content.Has("text/event-stream") {
		line = append(line, "--no-buffer")
	}
	if len(op.Scopes()) > 0 {
		line = append(line, "-H", "Authorization: Bearer $TOKEN")
	}
	for _, p := range op.Parameters {
		if p.In == "header" && p.Required {
			line = append(line, "-H", p.Name+": "+sample(d, p.Schema, "my-first-key"))
		}
	}
	data, bare := load(d, op)
	if bare {
		line = append(line, "-X", "POST")
	}
	return append(append(line, data...), address(d, op))
}

// load is the body; bare is a POST without one, which curl has to be told.
func load(d *openapi.Document, op *openapi.Operation) (line []string, bare bool) {
	switch {
	case op.Body == nil:
		return nil, op.Method == "post"
	case op.Body.Content.Has("application/json"):
		text := bytes.NewBufferString("{}")
		if s := d.Deref(op.Body.Content.At("application/json").Schema); s != nil && len(s.Examples) > 0 {
			text.Reset()
			_ = json.Compact(text, s.Examples[0]) // it was parsed before
		}
		return []string{"--json", text.String()}, false
	}
	return []string{"-H", "Content-Type: image/jpeg", "--data-binary", "@photo.jpg"}, false
}

// address fills the path with examples, and the query with what is required.
func address(d *openapi.Document, op *openapi.Operation) string {
	path, query := op.Path, url.Values{}
	for _, p := range op.Parameters {
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(sample(d, p.Schema, p.Name)))
		case p.In == "query" && p.Required:
			query.Set(p.Name, sample(d, p.Schema, p.Name))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return origin + d.Prefix() + path
}

// sample is an example of a schema, or what is given.
func sample(d *openapi.Document, s *openapi.Schema, otherwise string) string {
	if s != nil && len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	s = d.Deref(s)
	if s == nil || len(s.Examples) == 0 {
		return otherwise
	}
	var text string
	if json.Unmarshal(s.Examples[0], &text) != nil {
		return string(s.Examples[0])
	}
	return text
}

// shell writes words for a shell, options on lines of their own. Double quotes
// are for what has a variable in it.
func shell(line []string) string {
	var out strings.Builder
	for i, word := range line {
		switch {
		case i == 0:
		case strings.HasPrefix(word, "-") && i > 2 || i == len(line)-1 && i > 2:
			out.WriteString(" \\\n  ")
		default:
			out.WriteString(" ")
		}
		out.WriteString(quoted(word))
	}
	return out.String()
}

func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%=,", r)
	}
	switch {
	case !slices.ContainsFunc([]rune(word), func(r rune) bool { return !plain(r) }):
		return word
	case strings.Contains(word, "$TOKEN"):
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
