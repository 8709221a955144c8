package gateway

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// tree is JSON as jsonschema wants it.
type tree = map[string]any

// document is openapi.json, read as a client would.
type document struct {
	tree
	mu       sync.Mutex // guards compiler and schemas
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

const documentURL = "https://parley.invalid/openapi.json"

// readDocument reads and compiles once; the tests only look at it.
var readDocument = sync.OnceValues(parseDocument)

func loadDocument(t testing.TB) *document {
	t.Helper()
	d, err := readDocument()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// parseDocument closes every object of the schemas, so that an answer with a
// member that is not documented fails too. (Clients ignore what they do not
// know; the gateway says what it sends.)
func parseDocument() (*document, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		return nil, err
	}
	d := &document{tree: v.(tree), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	shut(d.at("components", "schemas"))
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	return d, d.compiler.AddResource(documentURL, d.tree)
}

func shut(v any) {
	switch v := v.(type) {
	case tree:
		if _, open := v["additionalProperties"]; v["type"] == "object" && v["properties"] != nil && !open {
			v["additionalProperties"] = false
		}
		for name, inner := range v {
			if name != "examples" {
				shut(inner)
			}
		}
	case []any:
		for _, inner := range v {
			shut(inner)
		}
	}
}

func (d *document) at(path ...string) tree {
	v := d.tree
	for _, p := range path {
		v, _ = v[p].(tree)
	}
	return v
}

// deref follows a $ref to where it leads.
func (d *document) deref(v any) tree {
	t, _ := v.(tree)
	if ref, ok := t["$ref"].(string); ok {
		return d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return t
}

// pointer names a place in the document (RFC 6901).
func pointer(path ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	p := "#"
	for _, part := range path {
		p += "/" + escape.Replace(part)
	}
	return p
}

// check holds a value to the schema at a pointer.
func (d *document) check(at string, value any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.schemas[at]
	if s == nil {
		var err error
		if s, err = d.compiler.Compile(documentURL + at); err != nil {
			return err
		}
		d.schemas[at] = s
	}
	return s.Validate(value)
}

// operation finds what the document says of a request.
func (d *document) operation(method, path string) (op tree, template string, known bool) {
	path = strings.TrimPrefix(path, prefix)
	for candidate := range d.at("paths") {
		if !matches(candidate, path) || template != "" && strings.Contains(candidate, "{") {
			continue
		}
		template = candidate
	}
	item := d.at("paths", template)
	op, _ = item[strings.ToLower(method)].(tree)
	if op == nil && method == http.MethodHead {
		op, _ = item["get"].(tree)
		if d.at("paths", template, "get", "responses", "200", "content")["text/event-stream"] != nil {
			op = nil // nobody asks for the head of a stream without end
		}
	}
	return op, template, template != ""
}

func matches(template, path string) bool {
	t, p := strings.Split(template, "/"), strings.Split(path, "/")
	if len(t) != len(p) {
		return false
	}
	for i := range t {
		if t[i] != p[i] && !strings.HasPrefix(t[i], "{") {
			return false
		}
	}
	return true
}

// unsaid are headers that every HTTP answer may have, or that the document says
// once for all.
var unsaid = map[string]bool{
	"Content-Type": true, "Content-Length": true, "X-Content-Type-Options": true, "Content-Security-Policy": true, "Referrer-Policy": true,
	"Cross-Origin-Resource-Policy": true, "Cache-Control": true, "X-Accel-Buffering": true,
}

// hold compares an answer with the document.
func (d *document) hold(t testing.TB, r *http.Request, a answer) {
	t.Helper()
	op, template, known := d.operation(r.Method, r.URL.EscapedPath())
	if op == nil {
		if want := map[bool]int{true: 405, false: 404}[known]; a.status != want {
			t.Errorf("%s %s is not in the document, and got %d", r.Method, r.URL.Path, a.status)
		}
		if known == (a.header.Get("Allow") == "") {
			t.Errorf("%s %s: Allow is %q", r.Method, r.URL.Path, a.header.Get("Allow"))
		}
		d.holdBody(t, pointer("components", "schemas", "Problem"), a)
		return
	}
	at := []string{"paths", template, strings.ToLower(r.Method), "responses", strconv.Itoa(a.status)}
	if d.at(at...) == nil {
		at[2] = "get"
	}
	said := d.deref(d.at(at...))
	if said == nil {
		t.Errorf("%s %s: status %d is not documented: %s", r.Method, template, a.status, a.body)
		return
	}
	d.holdHeaders(t, r.Method+" "+template, said, a)
	d.holdContent(t, r, at, said, a)
}

func (d *document) holdHeaders(t testing.TB, what string, said tree, a answer) {
	t.Helper()
	headers, _ := said["headers"].(tree)
	canonical := map[string]string{}
	for name := range headers {
		canonical[http.CanonicalHeaderKey(name)] = name
	}
	for name := range a.header {
		if canonical[name] == "" && !unsaid[name] {
			t.Errorf("%s: header %s of %d is not documented", what, name, a.status)
		}
	}
	for _, name := range []string{"Parley-Request-Id", "X-Content-Type-Options", "Content-Security-Policy"} {
		if a.header.Get(name) == "" {
			t.Errorf("%s: %d has no %s", what, a.status, name)
		}
	}
	if must := a.status == 429 || a.status == 503; must && a.header.Get("Retry-After") == "" {
		t.Errorf("%s: %d has no Retry-After", what, a.status)
	}
}

func (d *document) holdContent(t testing.TB, r *http.Request, at []string, said tree, a answer) {
	t.Helper()
	content, _ := said["content"].(tree)
	kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if a.body == "" && (r.Method == http.MethodHead || len(content) == 0) {
		return
	}
	media := kind
	if content[media] == nil {
		media = "*/*"
	}
	if content[media] == nil {
		t.Errorf("%s %s: %q is not a documented type of %d", r.Method, at[1], kind, a.status)
		return
	}
	if !strings.HasSuffix(kind, "json") {
		return
	}
	if ref, ok := d.at(at...)["$ref"].(string); ok {
		at = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
	}
	d.holdBody(t, pointer(append(at, "content", media, "schema")...), a)
}

func (d *document) holdBody(t testing.TB, at string, a answer) {
	t.Helper()
	if len(a.body) == 0 {
		return // HEAD
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(a.body))
	if err == nil {
		err = d.check(at, v)
	}
	if err != nil {
		t.Errorf("%v\nin %s", err, a.body)
	}
}

// plain is a value of the document as Go decodes JSON.
func plain(t testing.TB, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
