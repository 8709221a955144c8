package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-im/parley/client"
	"github.com/parley-im/parley/internal/openapi"
)

// TestGoClient calls every operation of the document by package client, with
// every example of its body: the gateway must take what the client sends, and
// the client must keep all that the gateway answers.
func TestGoClient(t *testing.T) {
	d, err := openapi.Parse(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range d.All() {
		t.Run(op.ID, func(t *testing.T) {
			for _, example := range bodies(d, op) {
				c := newGoCaller(t)
				if strings.Contains(op.Path, "{draft}") {
					c.known[reflect.TypeFor[client.MessageID]()] = string(slip)
				}
				c.call(op, example)
			}
		})
	}
}

// bodies are the examples of an operation's JSON body; one nil for none.
func bodies(d *openapi.Document, op *openapi.Operation) []json.RawMessage {
	if op.Body == nil || !op.Body.Content.Has("application/json") {
		return []json.RawMessage{nil}
	}
	return d.Deref(op.Body.Content.At("application/json").Schema).Examples
}

// goCaller is a client before a harness of its own.
type goCaller struct {
	*testing.T
	client *client.Client
	got    *taped // what was answered last
	known  map[reflect.Type]string
}

func newGoCaller(t *testing.T) *goCaller {
	c := &goCaller{T: t}
	h := newHarness(t, nil)
	h.kept = 1 // everything: where parameters say from where on, the caller leaves them out
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.got = &taped{ResponseWriter: w}
		h.gateway.ServeHTTP(c.got, r)
		h.doc.hold(t, r, answer{c.got.status, c.got.Header(), c.got.text.String()})
	}))
	t.Cleanup(func() { h.gateway.Drain(); server.Close() })
	var err error
	c.client, err = client.New(client.Config{BaseURL: server.URL + prefix, Token: "app", Account: client.AccountID(ana), HTTP: server.Client(), Attempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	tok, err := c.client.CreateToken(t.Context(), client.NewToken{Scopes: []client.Scope{client.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	c.known = map[reflect.Type]string{
		reflect.TypeFor[client.AccountID]():     string(client.Me),
		reflect.TypeFor[client.ThreadID]():      string(boat),
		reflect.TypeFor[client.MessageID]():     string(hello),
		reflect.TypeFor[client.ParticipantID](): string(boPart),
		reflect.TypeFor[client.BlobID]():        string(photo),
		reflect.TypeFor[client.FolderID]():      string(boats),
		reflect.TypeFor[client.TokenID]():       string(tok.ID),
		reflect.TypeFor[string]():               "crm/17",
	}
	return c
}

// taped keeps what goes out.
type taped struct {
	http.ResponseWriter
	status int
	text   bytes.Buffer
}

func (w *taped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *taped) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *taped) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.text.Write(b)
	return w.ResponseWriter.Write(b)
}

// call finds the method by the operation's name and looks at what comes back.
func (c *goCaller) call(op *openapi.Operation, example json.RawMessage) {
	c.Helper()
	method := reflect.ValueOf(c.client).MethodByName(strings.ToUpper(op.ID[:1]) + op.ID[1:])
	if !method.IsValid() {
		c.Fatal("the client has no such method")
	}
	args, strange := c.arguments(op, method.Type(), example)
	out := method.Call(args)
	err, _ := out[len(out)-1].Interface().(error)
	p := (*client.Problem)(nil)
	switch {
	case errors.As(err, &p) && p.Status == http.StatusNotFound && strange:
		return // an id of a kind that the fakes have none of
	case err != nil:
		c.Fatalf("%s: %v", example, err)
	case len(out) == 2:
		c.look(out[0].Interface())
	}
}

// arguments makes them by type; strange says that the path has an id that nothing
// is known to have.
func (c *goCaller) arguments(op *openapi.Operation, method reflect.Type, example json.RawMessage) (args []reflect.Value, strange bool) {
	c.Helper()
	for i := range method.NumIn() - 1 { // the options are left out
		in := method.In(i)
		v := reflect.New(in)
		switch {
		case i == 0:
			v.Elem().Set(reflect.ValueOf(c.Context()))
		case in == reflect.TypeFor[io.Reader]():
			v.Elem().Set(reflect.ValueOf(strings.NewReader("0123456789")))
		case in.Kind() == reflect.String:
			value, ok := c.known[in]
			if strange = strange || !ok; op.ID == "getRawMessage" || op.ID == "getMessageHTML" {
				value = string(bill)
			}
			v.Elem().SetString(value)
		case !strings.HasSuffix(in.Name(), "Params"):
			c.read(example, v.Interface())
			c.same(example, v.Interface())
		}
		args = append(args, v.Elem())
	}
	return args, strange
}

// look holds what the client made of an answer to what was answered.
func (c *goCaller) look(v any) {
	c.Helper()
	switch v := v.(type) {
	case *client.Download:
		defer v.Close()
		if text, err := io.ReadAll(v); err != nil || v.Size >= 0 && string(text) != c.got.text.String() {
			c.Errorf("got %q, %v", text, err)
		}
	case *client.EventStream:
		if err := v.Close(); err != nil {
			c.Error(err)
		}
	default:
		if c.got.status != http.StatusNoContent {
			c.same(c.got.text.Bytes(), chosen(v))
		}
	}
}

// chosen is what an answer of several forms has.
func chosen(v any) any {
	s := reflect.ValueOf(v).Elem()
	if s.Kind() != reflect.Struct || !strings.HasSuffix(s.Type().Name(), "Answer") {
		return v
	}
	for i := range s.NumField() {
		if f := s.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			return f.Interface()
		}
	}
	return v
}

func (c *goCaller) read(text []byte, into any) {
	c.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		c.Fatalf("%s: %v", text, err)
	}
}

// same holds a value to the JSON that it was read from.
func (c *goCaller) same(text []byte, v any) {
	c.Helper()
	again, err := json.Marshal(v)
	if err != nil {
		c.Fatal(err)
	}
	var want, got any
	if err := errors.Join(json.Unmarshal(text, &want), json.Unmarshal(again, &got)); err != nil {
		c.Fatal(err)
	}
	if !reflect.DeepEqual(bare(got), bare(want)) {
		c.Errorf("the client keeps\n%s\nof\n%s", again, text)
	}
}

// bare leaves out what has no value: in Go that is the same as zero.
func bare(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if inner = bare(inner); inner == nil || inner == "" || inner == false || inner == 0.0 {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = bare(v[i])
		}
	}
	return v
}
