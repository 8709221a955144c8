package plays

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/parley-im/parley"
)

// request is what a client sends.
type request struct {
	method, path string
	body         any    // JSON; nil sends none; []byte goes as it is
	key          string // Idempotency-Key
	match        string // If-Match
}

// answer is what came back.
type answer struct {
	status   int
	revision parley.Revision // Parley-Revision; 0 when absent
	replayed bool
	tag      string
	body     []byte
}

func (r request) String() string {
	s := r.method + " " + r.path
	if r.body != nil {
		body, raw := r.body.([]byte)
		if !raw {
			body, _ = json.Marshal(r.body)
		}
		s += " " + string(body)
	}
	if r.key != "" {
		s += " key=" + r.key
	}
	if r.match != "" {
		s += " match=" + r.match
	}
	return s
}

func (r request) http(token string) (*http.Request, error) {
	var body io.Reader = http.NoBody
	kind := ""
	switch b := r.body.(type) {
	case nil:
	case []byte:
		body, kind = strings.NewReader(string(b)), "text/plain"
	default:
		data, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		body, kind = strings.NewReader(string(data)), "application/json"
	}
	out := httptest.NewRequest(r.method, "/v1"+r.path, body)
	out.Header.Set("Authorization", "Bearer "+token)
	for name, value := range map[string]string{"Content-Type": kind, "Idempotency-Key": r.key, "If-Match": r.match} {
		if value != "" {
			out.Header.Set(name, value)
		}
	}
	return out, nil
}

// send gives the handler a request and writes both down.
func (p *play) send(c *client, r request) answer {
	req, err := r.http(c.token)
	if err != nil {
		p.fail("%v: %v", r, err)
	}
	w := httptest.NewRecorder()
	p.house.door.ServeHTTP(w, req.WithContext(p.ctx))
	h := w.Result().Header
	a := answer{status: w.Code, replayed: h.Get("Idempotent-Replayed") == "true", tag: h.Get("ETag"), body: w.Body.Bytes()}
	if v := h.Get("Parley-Revision"); v != "" {
		n, err := strconv.ParseUint(v, 10, 63)
		if err != nil {
			p.fail("%v: Parley-Revision %q", r, v)
		}
		a.revision = parley.Revision(n)
	}
	p.requests++
	if a.status < 300 {
		p.did[p.house.operations.of(req)]++
	}
	p.note("%s: %v -> %d, revision %d", c.name, r, a.status, a.revision)
	return a
}

// into reads a body.
func into[T any](p *play, a answer) (out T) {
	if err := json.Unmarshal(a.body, &out); err != nil {
		p.fail("%v in %s", err, a.body)
	}
	return out
}

// refusal is a status with a code and the field it is about.
type refusal struct {
	status int
	code   string
	field  string
}

func (r refusal) String() string { return fmt.Sprintf("%d %s %s", r.status, r.code, r.field) }

// The refusals that a play meets.
var (
	done        = refusal{}
	notFound    = refusal{404, "not_found", ""}
	stale       = refusal{412, "stale", ""}
	forbidden   = refusal{403, "not_permitted", ""}
	changed     = refusal{409, "participants_changed", "roster_version"}
	keyMismatch = refusal{422, "key_mismatch", ""}
	gone        = refusal{410, "gone", ""}
)

func bad(field string) refusal { return refusal{400, "bad_request", field} }

// wants holds an answer to a status, or to a refusal.
func (p *play) wants(a answer, status int, want refusal) {
	if want == done {
		if a.status != status {
			p.fail("got %d, want %d: %s", a.status, status, a.body)
		}
		return
	}
	var problem struct{ Code, Field string }
	_ = json.Unmarshal(a.body, &problem)
	if got := (refusal{a.status, problem.Code, problem.Field}); got != want {
		p.fail("got %v, want %v: %s", got, want, a.body)
	}
}

// equal holds a shape to what is foreseen.
func equal[T any](p *play, what string, got, want T) {
	g, err := json.Marshal(got)
	if err != nil {
		p.fail("%s: %v", what, err)
	}
	w, err := json.Marshal(want)
	if err != nil {
		p.fail("%s: %v", what, err)
	}
	if string(g) != string(w) {
		p.fail("%s:\ngot  %s\nwant %s", what, g, w)
	}
}
