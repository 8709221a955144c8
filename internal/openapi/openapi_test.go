package openapi

import (
	"slices"
	"strings"
	"testing"
)

const small = `{
	"servers": [{"url": "/v1"}],
	"paths": {
		"/boats/{boat}": {
			"parameters": [{"$ref": "#/components/parameters/Boat"}],
			"get": {"operationId": "getBoat", "security": [{"bearer": ["read"]}, {"bearer": ["write"]}],
				"parameters": [{"name": "at", "in": "query", "schema": {"type": ["string", "null"]}}],
				"responses": {"200": {"description": "It.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}}, "404": {"$ref": "#/components/responses/Gone"}}},
			"delete": {"operationId": "sinkBoat", "responses": {}}
		},
		"/a": {"get": {"operationId": "a", "responses": {}}}
	},
	"components": {
		"parameters": {"Boat": {"name": "boat", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/Boat"}}},
		"headers": {"ETag": {"description": "Its version."}},
		"responses": {"Gone": {"description": "Not there.", "content": {"application/json": {"examples": {"gone": {"$ref": "#/components/examples/gone"}}}}}},
		"examples": {"gone": {"value": 1}},
		"schemas": {"Boat": {"$ref": "#/components/schemas/Name"}, "Name": {"enum": ["z", "a"], "additionalProperties": false}}
	}
}`

func TestParse(t *testing.T) {
	d, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range d.All() {
		got = append(got, op.Method+" "+d.Prefix()+op.Path+" "+op.ID)
	}
	want := []string{"get /v1/boats/{boat} getBoat", "delete /v1/boats/{boat} sinkBoat", "get /v1/a a"}
	if !slices.Equal(got, want) {
		t.Errorf("operations: got %q, want %q", got, want)
	}
	op := d.All()[0]
	if got := op.Scopes(); !slices.Equal(got, []string{"read", "write"}) {
		t.Errorf("scopes: got %q", got)
	}
	if len(op.Parameters) != 2 || op.Parameters[0].Name != "boat" || !op.Takes("at") || op.Takes("before") {
		t.Errorf("parameters: got %+v", op.Parameters)
	}
	if got := op.Responses.At("200").Headers.At("ETag").Description; got != "Its version." {
		t.Errorf("header: got %q", got)
	}
	if got := op.Responses.At("404").Content.At("application/json").Examples.At("gone").Value; string(got) != "1" {
		t.Errorf("example: got %s", got)
	}
	if typ := op.Parameters[1].Schema.Type; typ.Main() != "string" || !typ.Nullable() {
		t.Errorf("type: got %v", typ)
	}
	name := d.Deref(op.Parameters[0].Schema)
	if !slices.Equal(name.Strings(), []string{"z", "a"}) || !name.AdditionalProperties.Never {
		t.Errorf("schema: got %+v", name)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ old, new, want string }{
		"no reference": {"parameters/Boat\"}]", "parameters/Ship\"}]", "get /boats/{boat}: openapi: #/components/parameters/Ship leads nowhere"},
		"no header":    {"headers/ETag", "headers/Tag", "leads nowhere"},
		"no object":    {`"paths": {`, `"paths": [], "x": {`, "an object is wanted"},
		"cut":          {`"z", "a"`, `"z`, "openapi: "},
	} {
		_, err := Parse([]byte(strings.Replace(small, tc.old, tc.new, 1)))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		}
	}
}
