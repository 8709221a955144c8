package torture

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/client"
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

func away(err error) error {
	return &parley.Error{Code: parley.Unavailable, Op: "torture.http", Err: err}
}

// speak is a client of the account before the server where it is now. It asks
// once: the play repeats, and notes what each attempt heard.
func (d *HTTPDoor) speak(acc parley.AccountID) (*client.Client, error) {
	at, _ := d.Where()
	if at == "" {
		return nil, away(errors.New("the server is down"))
	}
	return client.New(client.Config{BaseURL: "http://" + at + "/v1", Token: d.token(acc), HTTP: d.Client, Attempts: 1})
}

// heard is what an answer says beside its body.
type heard struct {
	revision parley.Revision
	replayed bool
}

// call makes one call. What is no whole answer is Unavailable: it may have
// happened.
func call[T any](d *HTTPDoor, acc parley.AccountID, ask func(c *client.Client, keep client.Option) (T, error)) (T, heard, error) {
	var none T
	c, err := d.speak(acc)
	if err != nil {
		return none, heard{}, err
	}
	var a client.Answer
	v, err := ask(c, client.Keep(&a))
	if err != nil {
		return none, heard{}, codeOf(err)
	}
	return v, heard{parley.Revision(a.Revision), a.Replayed}, nil
}

// done is call for what answers nothing.
func done(d *HTTPDoor, acc parley.AccountID, ask func(c *client.Client, keep client.Option) error) (heard, error) {
	_, h, err := call(d, acc, func(c *client.Client, keep client.Option) (struct{}, error) { return struct{}{}, ask(c, keep) })
	return h, err
}

// codes are the refusals that say for certain that nothing was done.
var codes = map[client.ProblemCode]parley.Code{
	"not_permitted": parley.NotPermitted, "not_found": parley.NotFound, "bad_request": parley.BadRequest,
	"participants_changed": parley.ParticipantsChanged, "gone": parley.Gone, "stale": parley.Stale, "too_large": parley.TooLarge,
	"bad_address": parley.BadAddress, "key_mismatch": parley.KeyMismatch, "not_a_draft": parley.NotADraft, "conflict": parley.Conflict, "over_quota": parley.OverQuota,
}

// codeOf says what an error of the client leaves open.
func codeOf(err error) error {
	p := (*client.Problem)(nil)
	if !errors.As(err, &p) {
		return away(err)
	}
	code, known := codes[p.Code]
	if !known {
		code = parley.Unavailable
	}
	return &parley.Error{Code: code, Op: "torture.http", Public: p.Error()}
}

// bytesOf reads a download whole: half of one is no answer.
func bytesOf(d *client.Download, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return io.ReadAll(d)
}

// OpenBlob implements Reader.
func (d *HTTPDoor) OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (actors.Content, error) {
	body, _, err := call(d, acc, func(c *client.Client, keep client.Option) ([]byte, error) {
		return bytesOf(c.GetBlob(ctx, client.BlobID(id), client.GetBlobParams{}, keep))
	})
	if err != nil {
		return actors.Content{}, err
	}
	return actors.Content{Attachment: parley.Attachment{Blob: id, Size: int64(len(body))}, ReaderAt: bytes.NewReader(body), Closer: io.NopCloser(nil)}, nil
}

// Raw implements Reader.
func (d *HTTPDoor) Raw(ctx context.Context, acc parley.AccountID, id parley.MessageID) (io.ReadCloser, int64, error) {
	body, _, err := call(d, acc, func(c *client.Client, keep client.Option) ([]byte, error) {
		return bytesOf(c.GetRawMessage(ctx, client.MessageID(id), keep))
	})
	return io.NopCloser(bytes.NewReader(body)), int64(len(body)), err
}
