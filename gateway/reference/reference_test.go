package reference

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-im/parley/internal/openapi"
)

func document(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("../openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func render(t *testing.T, document []byte) string {
	t.Helper()
	p, err := Render(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(p.HTML)
}

// TestWhole: every operation, schema, code and parameter of the document has its
// place, and every link of the page leads to one.
func TestWhole(t *testing.T) {
	text := document(t)
	html := render(t, text)
	d, err := openapi.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if ids[m[1]] {
			t.Errorf("id %s is there twice", m[1])
		}
		ids[m[1]] = true
	}
	for _, op := range d.All() {
		if !ids[op.ID] {
			t.Errorf("operation %s is not there", op.ID)
		}
	}
	for name := range d.Components.Schemas.All() {
		if !ids[name] {
			t.Errorf("schema %s is not there", name)
		}
	}
	for name := range d.Components.Examples.All() {
		if !ids["code-"+name] {
			t.Errorf("code %s is not there", name)
		}
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if to, inside := strings.CutPrefix(m[1], "#"); inside && !ids[to] {
			t.Errorf("the link %s leads nowhere", m[1])
		} else if !inside && !strings.HasPrefix(m[1], "/v1/") {
			t.Errorf("the link %s leads away", m[1])
		}
	}
}

// TestPolicy: the page keeps its own policy: no script, nothing from elsewhere,
// and the style that the hash names.
func TestPolicy(t *testing.T) {
	p, err := Render(document(t))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Front("/v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []Page{p, f} {
		html := string(page.HTML)
		if m := regexp.MustCompile(`(?i)<script|\son\w+=|\sstyle=|\ssrc=|<link|<img|url\(|@import|ZgotmplZ`).FindString(html); m != "" {
			t.Errorf("the page has %q", m)
		}
		_, rest, _ := strings.Cut(html, "<style>")
		css, _, ok := strings.Cut(rest, "</style>")
		sum := sha256.Sum256([]byte(css))
		if !ok || !strings.Contains(page.Policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") || !strings.HasPrefix(page.Policy, "default-src 'none'; ") {
			t.Errorf("the policy does not fit the style: %s", page.Policy)
		}
	}
}

// TestEscaped: a document's text is text.
func TestEscaped(t *testing.T) {
	html := render(t, []byte(strings.Replace(string(document(t)), "Owners of mailboxes.", `<script>alert(\"x\")</script>`, 1)))
	if strings.Contains(html, "<script>") || !strings.Contains(html, "&lt;script&gt;alert(") {
		t.Error("a description is not escaped")
	}
}

func TestCurl(t *testing.T) {
	html := render(t, document(t))
	for _, want := range []string{
		"curl -H &#34;Authorization: Bearer $TOKEN&#34; \\\n  https://parley.example.org/v1/mailbox</pre>",
		`--json &#39;{&#34;`, "curl --head", "--data-binary @photo.jpg", "curl --no-buffer", "curl -X DELETE",
		"\n  -X POST \\\n  https://parley.example.org/v1/threads/thr_", "curl https://parley.example.org/v1/status</pre>",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s", want)
		}
	}
	if got, want := quoted("it's"), `'it'\''s'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTypes(t *testing.T) {
	d, err := openapi.Parse([]byte(`{"components": {"schemas": {"A": {"type": "object", "required": ["b"], "properties": {
		"b": {"type": "string", "minLength": 3, "maxLength": 9}, "c": {"type": ["string", "null"]}, "d": {"type": "array", "items": {"$ref": "#/components/schemas/A"}, "maxItems": 4, "uniqueItems": true},
		"e": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}, "f": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"const": "me"}]},
		"g": {"type": "object", "additionalProperties": {"type": "boolean"}}, "h": {"enum": ["x", "y"]}, "i": {"type": "object", "properties": {"j": {"type": "string", "format": "date-time"}}},
		"k": {"type": "integer", "minimum": 0}, "l": {}, "m": {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"n": {"type": "boolean"}}}}
	}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	v := &view{doc: d}
	var got []string
	for _, r := range v.schema("A", d.Schema("A")).Properties {
		line := r.Name + ":"
		if r.Required {
			line = r.Name + "!:"
		}
		for _, p := range r.Type {
			if line += p.Text; p.Schema != "" {
				line += "^"
			}
		}
		got = append(got, line)
	}
	want := []string{
		"b!:string, 3 to 9 characters", "c:string or null", "d:list of A^, at most 4 items, each once", "e:integer, 1 to 200, by default 50", `f:A^ or "me"`,
		"g:object of any names to boolean", `h:"x" | "y"`, "i:object", "i.j:time", "k:integer", "l:anything", "m:list of object, at least 1 items", "m[].n:boolean",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}
