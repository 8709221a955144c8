package torture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
)

// HTTPDoor is a server's /v1 and LMTP, as a client outside sees them.
type HTTPDoor struct {
	Where  func() (http, lmtp string) // the server moves when it is started again
	Client *http.Client
	Keys   func(parley.CommandID) string // the key behind a command of the play

	mu     sync.Mutex
	tokens map[parley.AccountID]string // under mu
}

var _ Door = (*HTTPDoor)(nil)

// Admit gives the door an account's token.
func (d *HTTPDoor) Admit(acc parley.AccountID, token string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tokens == nil {
		d.tokens = map[parley.AccountID]string{}
	}
	d.tokens[acc] = token
}

func (d *HTTPDoor) token(acc parley.AccountID) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tokens[acc]
}

// request is one call of /v1. A body that is a Reader goes as it is, others as JSON.
type request struct {
	method, path string
	query        url.Values
	key          string
	body         any
}

// heard is its answer.
type heard struct {
	body     []byte
	revision parley.Revision
	replayed bool
}

func away(err error) error {
	return &parley.Error{Code: parley.Unavailable, Op: "torture.http", Err: err}
}

// do sends a request once. What is no whole answer is Unavailable: it may have
// happened.
func (d *HTTPDoor) do(ctx context.Context, acc parley.AccountID, r request) (heard, error) {
	req, err := d.prepare(ctx, acc, r)
	if err != nil {
		return heard{}, err
	}
	res, err := d.Client.Do(req)
	if err != nil {
		return heard{}, away(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return heard{}, away(err)
	}
	if res.StatusCode >= 300 {
		return heard{}, problemOf(res.StatusCode, body)
	}
	rev, _ := strconv.ParseUint(res.Header.Get("Parley-Revision"), 10, 64)
	return heard{body, parley.Revision(rev), res.Header.Get("Idempotent-Replayed") == "true"}, nil
}

func (d *HTTPDoor) prepare(ctx context.Context, acc parley.AccountID, r request) (*http.Request, error) {
	var body io.Reader
	kind := "application/json"
	switch b := r.body.(type) {
	case nil:
	case io.Reader:
		body, kind = b, "application/octet-stream"
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	at, _ := d.Where()
	if at == "" {
		return nil, away(errors.New("the server is down"))
	}
	u := url.URL{Scheme: "http", Host: at, Path: "/v1" + r.path, RawQuery: r.query.Encode()}
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.token(acc))
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	return req, nil
}

// codes are the refusals that say for certain that nothing was done.
var codes = map[string]parley.Code{
	"not_permitted": parley.NotPermitted, "not_found": parley.NotFound, "bad_request": parley.BadRequest,
	"participants_changed": parley.ParticipantsChanged, "gone": parley.Gone, "stale": parley.Stale, "too_large": parley.TooLarge,
	"bad_address": parley.BadAddress, "key_mismatch": parley.KeyMismatch, "conflict": parley.Conflict, "over_quota": parley.OverQuota,
}

// problemOf reads an RFC 9457 problem.
func problemOf(status int, body []byte) error {
	var p struct{ Code, Detail, Field string }
	if err := json.Unmarshal(body, &p); err != nil {
		return away(fmt.Errorf("status %d: %q", status, short(string(body))))
	}
	code, known := codes[p.Code]
	if !known {
		code = parley.Unavailable
	}
	return &parley.Error{Code: code, Op: "torture.http", Public: fmt.Sprintf("%d %s %s %s", status, p.Code, p.Field, p.Detail)}
}

// call sends a command and reads its answer into out, unless that is nil.
func (d *HTTPDoor) call(ctx context.Context, acc parley.AccountID, out any, r request) (heard, error) {
	h, err := d.do(ctx, acc, r)
	if err == nil && out != nil {
		if err := json.Unmarshal(h.body, out); err != nil {
			return h, fmt.Errorf("torture: %s %s answered %q: %w", r.method, r.path, short(string(h.body)), err)
		}
	}
	return h, err
}

// OpenBlob implements Reader.
func (d *HTTPDoor) OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (actors.Content, error) {
	h, err := d.do(ctx, acc, request{method: "GET", path: "/blobs/" + string(id)})
	if err != nil {
		return actors.Content{}, err
	}
	return actors.Content{Attachment: parley.Attachment{Blob: id, Size: int64(len(h.body))}, ReaderAt: bytes.NewReader(h.body), Closer: io.NopCloser(nil)}, nil
}

// Raw implements Reader.
func (d *HTTPDoor) Raw(ctx context.Context, acc parley.AccountID, id parley.MessageID) (io.ReadCloser, int64, error) {
	h, err := d.do(ctx, acc, request{method: "GET", path: "/messages/" + string(id) + "/raw"})
	return io.NopCloser(bytes.NewReader(h.body)), int64(len(h.body)), err
}
