package strict

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

type inner struct {
	Name string `json:"name"`
}

type embedded struct {
	Seen *bool `json:"seen"`
}

type sample struct {
	embedded
	Text  string            `json:"text"`
	Count int64             `json:"count"`
	To    []inner           `json:"to"`
	First *inner            `json:"first"`
	Meta  map[string]string `json:"meta"`
}

func TestDecodeTakes(t *testing.T) {
	got, err := For[sample]().Decode([]byte(` { "text":"a\ud83d\ude00", "to":[{"name":"b"}], "seen" : true, "meta":{"x":"y"}, "count":-3 } `))
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := &sample{embedded: embedded{Seen: &yes}, Text: "a😀", Count: -3, To: []inner{{"b"}}, Meta: map[string]string{"x": "y"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		code     parley.Code
		field    string
	}{
		{"empty", ``, parley.BadJSON, ""},
		{"cut", `{"text":"a`, parley.BadJSON, ""},
		{"trailing data", `{"text":"a"} {}`, parley.BadJSON, ""},
		{"not UTF-8", "{\"text\":\"\xff\"}", parley.BadJSON, ""},
		{"half a character", `{"text":"\ud800"}`, parley.BadJSON, "text"},
		{"two halves in the wrong order", `{"text":"\ude00\ud83d"}`, parley.BadJSON, "text"},
		{"half, then an escape", `{"text":"\ud83d\n00\""}`, parley.BadJSON, "text"},
		{"unknown", `{"colour":1}`, parley.UnknownField, "colour"},
		{"unknown inside", `{"to":[{"name":"b"},{"nom":"c"}]}`, parley.UnknownField, "to.1.nom"},
		{"unknown behind a pointer", `{"first":{"x":{}}}`, parley.UnknownField, "first.x"},
		{"other case", `{"Text":"a"}`, parley.UnknownField, "Text"},
		{"twice", `{"text":"a","text":"b"}`, parley.BadJSON, "text"},
		{"twice, spelled apart", `{"text":"a","te\u0078t":"b"}`, parley.BadJSON, "text"},
		{"twice in a map", `{"meta":{"a":"1","a":"2"}}`, parley.BadJSON, "meta.a"},
		{"null", `{"text":null}`, parley.BadJSON, "text"},
		{"null alone", `null`, parley.BadJSON, ""},
		{"number for text", `{"text":1}`, parley.BadJSON, "text"},
		{"text for a list", `{"to":"b"}`, parley.BadJSON, "to"},
		{"too large a number", `{"count":99999999999999999999}`, parley.BadJSON, "count"},
		{"list for an object", `[]`, parley.BadJSON, ""},
		{"deep", strings.Repeat(`[`, 500) + strings.Repeat(`]`, 500), parley.BadJSON, strings.TrimSuffix(strings.Repeat("0.", MaxDepth+1), ".")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := For[sample]().Decode([]byte(tc.in))
			if _, field := parley.PublicOf(err); parley.CodeOf(err) != tc.code || field != tc.field {
				t.Errorf("got code %d field %q (%v), want code %d field %q", parley.CodeOf(err), field, err, tc.code, tc.field)
			}
		})
	}
}

// FuzzDecode holds: what is taken, encoding/json takes as well, and its
// canonical form is taken, means the same, and is its own canonical form.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{}`, `{"text":"a","count":1,"to":[{"name":"\ud83d\ude00"}]}`, `{"meta":{"a":"b"}}`, `{"te\u0078t":"b"}`,
		`[[[]]]`, `{"count":1e2}`, `{"text":null}`, ` {"seen":true , "first":{"name":"\\\""}}`, `{"text":"\ud800\u`} {
		f.Add([]byte(seed))
	}
	decoder := For[sample]()
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := decoder.Decode(in)
		if err != nil {
			if code := parley.CodeOf(err); code != parley.BadJSON && code != parley.UnknownField {
				t.Fatalf("got code %d for %q", code, in)
			}
			return
		}
		plain := json.NewDecoder(bytes.NewReader(in))
		plain.DisallowUnknownFields()
		if err := plain.Decode(new(sample)); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", in, err)
		}
		canon, err := Canonical(in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decoder.Decode(canon)
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("got %+v (%v) from %q, want %+v of %q", again, err, canon, got, in)
		}
		if twice, err := Canonical(canon); err != nil || !bytes.Equal(twice, canon) {
			t.Fatalf("got %q, want %q", twice, canon)
		}
	})
}
