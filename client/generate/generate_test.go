package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCurrent holds the generated files to the document; `make generate` renews
// them.
func TestCurrent(t *testing.T) {
	document, err := os.ReadFile("../../gateway/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate(document)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("client/%s is not what gateway/openapi.json says; run make generate", name)
		}
	}
}

// odd has the forms that the document does not have today and may have tomorrow.
const odd = `{
	"paths": {
		"/boats/{boat_id}/{type}": {
			"post": {
				"operationId": "makeBoat", "summary": "Make a boat.", "security": [{"bearer": ["write"]}],
				"parameters": [
					{"name": "boat_id", "in": "path", "schema": {"type": "string"}}, {"name": "type", "in": "path", "schema": {"type": "string"}},
					{"name": "deck", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
					{"name": "depth", "in": "query", "schema": {"type": "integer", "minimum": 0}},
					{"name": "X-Wind", "in": "header", "schema": {"type": "string"}}
				],
				"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}},
				"responses": {
					"201": {"description": "It.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Boat"}}}},
					"202": {"description": "Later.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Later"}}}}
				}
			}
		},
		"/logs": {"post": {"operationId": "sendLog", "security": [], "requestBody": {"content": {"text/csv": {}, "text/plain": {}}}, "responses": {"204": {"description": "Taken."}}}}
	},
	"components": {"schemas": {
		"Order": {"type": "object", "required": ["id"], "properties": {
			"id": {"type": "string"}, "sails": {"type": "integer", "default": 2}, "any": {}, "hull": {"$ref": "#/components/schemas/Hull"},
			"when": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]}
		}},
		"Hull": {"allOf": [{"type": "object", "required": ["length"], "properties": {"length": {"type": "number"}}}, {"properties": {"kind": {"enum": ["a-b", "c.d"]}}}]},
		"Boat": {"oneOf": [{"$ref": "#/components/schemas/Hull"}, {"type": "object", "required": ["length"], "properties": {
			"length": {"type": "number"}, "kind": {"const": "raft"}, "logs": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}
		}}]},
		"Later": {"type": "object", "properties": {"job": {"type": "string"}, "by": {"type": "object", "additionalProperties": {"type": "boolean"}}}},
		"Problem": {"type": "object", "properties": {"code": {"enum": ["gone"]}}}
	}}
}`

func TestForms(t *testing.T) {
	files, err := generate([]byte(odd))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(strings.Fields(string(files["schemas.gen.go"])+string(files["operations.gen.go"])), " ")
	for _, want := range []string{
		"ID string `json:\"id\"`", "Sails *int64 `json:\"sails,omitzero\"`", "Any json.RawMessage", "Hull *Hull `json:\"hull,omitzero\"`", "When time.Time `json:\"when,omitzero\"`",
		"type Boat struct { Length float64 `json:\"length\"` Kind BoatKind `json:\"kind,omitzero\"` Logs []BoatLog `json:\"logs,omitzero\"` }",
		"BoatKindAB BoatKind = \"a-b\" BoatKindCD BoatKind = \"c.d\" BoatKindRaft BoatKind = \"raft\"",
		"By map[string]bool", "ProblemCodeGone ProblemCode = \"gone\"",
		"type MakeBoatAnswer struct { Boat *Boat // 201 Later *Later // 202 }",
		"MakeBoat(ctx context.Context, boatID string, typeName string, body *Order, params MakeBoatParams, opts ...Option) (*MakeBoatAnswer, error)",
		`texts(w.query("deck"), p.Deck) figure(w.query("depth"), p.Depth) text(w.header("X-Wind"), p.XWind)`,
		`SendLog(ctx context.Context, content io.Reader, opts ...Option) error`, `open: true, content: content, kind: "*/*"`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
	if strings.Contains(all, "type Problem struct") {
		t.Error("Problem is declared here and by hand")
	}
}
