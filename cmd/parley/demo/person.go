package demo

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/verb"
)

// person has an account, and a token with which a program speaks for it.
type person struct {
	house   *house
	name    string // first name, for the story
	address string
	id      string
	token   string
}

// settle makes the account and the token.
func (p *person) settle(ctx context.Context, fullName string) (err error) {
	p.id, err = p.house.run(ctx, &verb.AccountAdd{Address: p.address, FullName: fullName, PasswordStdin: true}, rand.Text())
	if err != nil {
		return err
	}
	p.token, err = p.house.run(ctx, &verb.Token{Address: p.address, Label: "demo", Scopes: []parley.Scope{"read", "write", "send"}}, "")
	return err
}

// callTime is more than any single request takes.
const callTime = 30 * time.Second

// answer is what a request brought.
type answer struct {
	status   int
	replayed bool
	revision string
	body     []byte
}

// get asks and decodes the answer.
func (p *person) get(ctx context.Context, path string, into any) error {
	_, err := p.ask(ctx, http.MethodGet, path, "", nil, into)
	return err
}

// post writes under a key of its own.
func (p *person) post(ctx context.Context, path string, body, into any) error {
	_, err := p.ask(ctx, http.MethodPost, path, rand.Text(), body, into)
	return err
}

// patch changes.
func (p *person) patch(ctx context.Context, path string, body, into any) error {
	_, err := p.ask(ctx, http.MethodPatch, path, "", body, into)
	return err
}

// ask sends one request. An answer that is a problem is an error.
func (p *person) ask(ctx context.Context, method, path, key string, body, into any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	r, err := p.request(ctx, method, path, body)
	if err != nil {
		return answer{}, err
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{got.StatusCode, got.Header.Get("Idempotent-Replayed") == "true", got.Header.Get("Parley-Revision"), text}
	if a.status >= 300 {
		return a, fmt.Errorf("%s %s by %s: %s: %s", method, path, p.name, got.Status, bytes.TrimSpace(text))
	}
	if into != nil && len(text) > 0 {
		err = json.Unmarshal(text, into)
	}
	return a, err
}

func (p *person) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var text io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		text = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, p.house.url()+path, text)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}
