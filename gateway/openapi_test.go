package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
	"github.com/parley-im/parley/internal/errmap"
)

// TestDocumentRoutes compares what is served with what is documented, both ways.
func TestDocumentRoutes(t *testing.T) {
	h := newHarness(t, nil)
	served := map[string]*edge.Route{}
	for _, r := range h.gateway.server.Router.Routes() {
		if r.Whole {
			continue // no part of /v1
		}
		served[strings.ToLower(r.Method)+" "+r.Path] = r
	}
	documented := map[string]bool{}
	ids := map[string]bool{}
	for path, item := range h.doc.at("paths") {
		for method, op := range item.(tree) {
			if method == "parameters" {
				continue
			}
			name := method + " " + path
			documented[name] = true
			id := op.(tree)["operationId"].(string)
			if ids[id] {
				t.Errorf("operationId %s is there twice", id)
			}
			ids[id] = true
			if served[name] == nil {
				t.Errorf("%s is documented, not served", name)
				continue
			}
			compareRoute(t, h.doc, served[name], op.(tree))
		}
	}
	for name := range served {
		if !documented[name] {
			t.Errorf("%s is served, not documented", name)
		}
	}
}

func compareRoute(t *testing.T, d *document, r *edge.Route, op tree) {
	t.Helper()
	same := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s is %v as served, %v as documented", r.Name, what, got, want)
		}
	}
	same("name", r.Name, op["operationId"])
	var scopes []string
	for _, s := range op["security"].([]any) {
		scopes = append(scopes, s.(tree)["bearer"].([]any)[0].(string))
	}
	var have []string
	for _, s := range r.Scopes {
		have = append(have, string(s))
	}
	same("scopes", strings.Join(have, " "), strings.Join(scopes, " "))
	said, _ := op["description"].(string)
	same("scope in words", true, len(have) == 0 || strings.HasSuffix(said, "Scope: "+strings.Join(have, " or ")+"."))

	query, headers := parameters(d, op)
	same("query", strings.Join(slices.Sorted(slices.Values(r.Query)), " "), strings.Join(query, " "))
	key, keyed := headers["Idempotency-Key"]
	same("key", r.Key != edge.NoKey, keyed)
	same("key required", r.Key == edge.MustKey, key)
	_, match := headers["If-Match"]
	same("If-Match", r.IfMatch, match)
	_, account := headers["Parley-Account"]
	same("Parley-Account", len(r.Scopes) > 0, account)
	body := d.deref(op["requestBody"])
	content, _ := body["content"].(tree)
	same("JSON body", r.HasBody(), content["application/json"] != nil)
	same("bytes", r.Stream, content["*/*"] != nil)
}

// parameters are the names in the query, sorted, and the headers with whether
// they are required.
func parameters(d *document, op tree) (query []string, headers map[string]bool) {
	headers = map[string]bool{}
	list, _ := op["parameters"].([]any)
	for _, p := range list {
		p := d.deref(p)
		switch required, _ := p["required"].(bool); p["in"] {
		case "query":
			query = append(query, p["name"].(string))
		case "header":
			headers[p["name"].(string)] = required
		}
	}
	slices.Sort(query)
	return query, headers
}

// TestDocumentExamples holds every example to its schema, and wants one of every
// resource.
func TestDocumentExamples(t *testing.T) {
	d := loadDocument(t)
	for name, s := range d.at("components", "schemas") {
		examples, _ := s.(tree)["examples"].([]any)
		if len(examples) == 0 {
			t.Errorf("%s has no example", name)
		}
		for _, e := range examples {
			if err := d.check(pointer("components", "schemas", name), e); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for name, h := range d.at("components", "headers") {
		if err := d.check(pointer("components", "headers", name, "schema"), h.(tree)["example"]); err != nil {
			t.Errorf("header %s: %v", name, err)
		}
	}
	for name, r := range d.at("components", "responses") {
		for media, c := range r.(tree)["content"].(tree) {
			for code, e := range c.(tree)["examples"].(tree) {
				value := d.deref(e)["value"]
				if err := d.check(pointer("components", "responses", name, "content", media, "schema"), value); err != nil {
					t.Errorf("response %s, %s: %v", name, code, err)
				}
			}
		}
	}
}

// TestDocumentEvents wants an example of each event, as the stream would send it.
func TestDocumentEvents(t *testing.T) {
	d := loadDocument(t)
	shown := map[string]bool{}
	for _, name := range []string{"MessageEvent", "ThreadEvent", "ParticipantEvent", "JobEvent", "CountsEvent", "FolderEvent", "DraftEvent"} {
		for _, e := range d.at("components", "schemas", name)["examples"].([]any) {
			shown[e.(tree)["type"].(string)] = true
		}
	}
	all := []parley.EventType{
		parley.MessageCreated, parley.MessageUpdated, parley.MessageRemoved, parley.ThreadUpdated, parley.ThreadRemoved,
		parley.ParticipantJoined, parley.ParticipantLeft, parley.ParticipantUpdate, parley.CountsChanged, parley.MentionMade,
		parley.FolderCreated, parley.FolderUpdated, parley.FolderRemoved,
		parley.DraftCreated, parley.DraftUpdated, parley.DraftRemoved,
		parley.JobUpdated, parley.JobFinished,
	}
	for _, typ := range all {
		if !shown[string(typ)] {
			t.Errorf("%s has no example", typ)
		}
		e := parley.Event{Revision: 4, Index: 1, Type: typ, At: noon, Message: hello, Parts: []parley.PartID{boPart}, Folder: boats, Job: &long, Cause: parley.CommandID{1}}
		if typ != parley.CountsChanged && !strings.HasPrefix(string(typ), "folder.") && !strings.HasPrefix(string(typ), "job.") {
			e.Thread = boat
		}
		if err := d.check(pointer("components", "schemas", "Event"), plain(t, eventShape(ana, e))); err != nil {
			t.Errorf("%s: %v", typ, err)
		}
	}
	if len(shown) != len(all) {
		t.Errorf("got %d types of events, want %d", len(shown), len(all))
	}
}

// TestDocumentProblems walks every code: each has an example that says what the
// gateway says.
func TestDocumentProblems(t *testing.T) {
	for code := range parley.NumCodes {
		h := newHarness(t, nil)
		h.hook = failing("ChangeMessages", parley.E(code, "test", ""))
		r := request("PATCH", "/v1/messages/"+string(hello), `{"seen":true}`, asAna)
		if code == parley.MethodNotAllowed { // no service says that; the router does
			r = request("POST", "/v1/mailbox", "")
		}
		a := h.send(r)
		var got tree
		a.into(t, &got)
		_, name, public, _, _ := errmap.HTTP(parley.E(code, "test", ""))
		want := h.doc.at("components", "examples", name, "value")
		for _, member := range []string{"type", "title", "status", "code"} {
			if g, w := plain(t, got[member]), plain(t, want[member]); g != w {
				t.Errorf("%s: %s is %v, documented as %v", name, member, g, w)
			}
		}
		if got["detail"] != public && code != parley.MethodNotAllowed {
			t.Errorf("%s: got detail %v, want %v", name, got["detail"], public)
		}
	}
}

// TestDocumentRequests holds requests to be closed, and sends every example.
func TestDocumentRequests(t *testing.T) {
	d := loadDocument(t)
	ids := strings.NewReplacer("{account}", "me", "{external}", "crm%2F17", "{thread}", string(boat), "{message}", string(hello), "{participant}", string(boPart), "{draft}", string(slip), "{folder}", string(boats))
	for _, path := range slices.Sorted(maps.Keys(d.at("paths"))) {
		for method, op := range d.at("paths", path) {
			content, _ := d.at("paths", path, method, "requestBody", "content", "application/json")["schema"].(tree)
			if content == nil {
				continue
			}
			schema := d.deref(content)
			if schema["additionalProperties"] != false {
				t.Errorf("%s %s takes unknown fields", method, path)
			}
			for _, e := range schema["examples"].([]any) {
				h := newHarness(t, nil)
				lines := []string{"Authorization: Bearer app", key("k"), "Parley-Account: " + string(ana)}
				a := h.do(strings.ToUpper(method), prefix+ids.Replace(path), text(t, e), lines...)
				if a.status >= 300 {
					t.Errorf("%v: got %d for its example %s: %s", op.(tree)["operationId"], a.status, text(t, e), a.body)
				}
			}
		}
	}
}

// TestDocumentTells wants words for whatever a reader meets, and an example of
// every body.
func TestDocumentTells(t *testing.T) {
	d := loadDocument(t)
	for name, s := range d.at("components", "schemas") {
		tells(t, name, s.(tree))
	}
	for path, item := range d.at("paths") {
		for method, op := range item.(tree) {
			op, ok := op.(tree)
			if !ok {
				continue
			}
			what := method + " " + path
			if op["summary"] == nil {
				t.Errorf("%s has no summary", what)
			}
			shows(t, d, what, d.deref(op["requestBody"]))
			for status, r := range op["responses"].(tree) {
				shows(t, d, what+" "+status, d.deref(r))
			}
			parameters, _ := op["parameters"].([]any)
			for _, p := range parameters {
				if p := d.deref(p); p["description"] == nil {
					t.Errorf("%s: %s has no description", what, p["name"])
				}
			}
		}
	}
}

// tells wants a description of a schema and of all inside it; a reference has
// that of what it leads to, and a constant says all.
func tells(t *testing.T, what string, s tree) {
	t.Helper()
	if s["description"] == nil && s["$ref"] == nil && s["const"] == nil {
		t.Errorf("%s has no description", what)
	}
	inner, _ := s["properties"].(tree)
	if items, ok := s["items"].(tree); ok && inner == nil {
		inner, _ = items["properties"].(tree)
	}
	for name, p := range inner {
		tells(t, what+"."+name, p.(tree))
	}
}

// shows wants an example of each media type, its own or its schema's.
func shows(t *testing.T, d *document, what string, r tree) {
	t.Helper()
	content, _ := r["content"].(tree)
	for media, c := range content {
		c := c.(tree)
		if c["example"] == nil && c["examples"] == nil && d.deref(c["schema"])["examples"] == nil {
			t.Errorf("%s: no example of %s", what, media)
		}
	}
}

// TestDocumentOnce: a member that stands twice in an object loses one of its
// values, and which one is up to the reader (RFC 8259 4).
func TestDocumentOnce(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(openAPI))
	if err := eachOnce(d, "#"); err != nil {
		t.Error(err)
	}
}

func eachOnce(d *json.Decoder, at string) error {
	open, err := d.Token()
	if err != nil {
		return err
	}
	seen := map[any]bool{}
	for n := 0; open == json.Delim('{') && d.More() || open == json.Delim('[') && d.More(); n++ {
		name := any(n)
		if open == json.Delim('{') {
			if name, err = d.Token(); err != nil {
				return err
			}
		}
		if seen[name] {
			return fmt.Errorf("%s has %v twice", at, name)
		}
		seen[name] = true
		if err := eachOnce(d, fmt.Sprint(at, "/", name)); err != nil {
			return err
		}
	}
	if open == json.Delim('{') || open == json.Delim('[') {
		_, err = d.Token()
	}
	return err
}
