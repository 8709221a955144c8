package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/parley-im/parley/service"
)

// reply is a whole answer, or one whose body is read by the caller.
type reply struct {
	op     string
	status int
	header http.Header
	body   []byte
	rest   io.ReadCloser // of a stream
	length int64         // of rest; -1: not known
}

// failure is an attempt that brought no answer that counts.
type failure struct {
	error
	again bool // a repeat is safe and may do better
}

func (f *failure) Unwrap() error { return f.error }

// RetryAfter tells service.Retry how long the server wants to be left alone.
func (f *failure) RetryAfter() time.Duration {
	if p := (*Problem)(nil); errors.As(f.error, &p) {
		return p.RetryAfter
	}
	return 0
}

// repeats is the policy of all calls of a client. Its budget keeps repeats a
// share of what is asked, so that many clients do not keep a server down.
func repeats(c Config) service.SimpleFilter[*request, *reply] {
	return service.Retry[*request, *reply](service.RetryConfig{
		Attempts: c.Attempts, Delay: 100 * time.Millisecond, MaxDelay: c.MaxWait,
		Retryable: func(err error) bool {
			f := (*failure)(nil)
			return errors.As(err, &f) && f.again
		},
	})
}

// newKey is a key that nobody guesses and nobody else makes.
func newKey() string { return rand.Text() }

// do makes a call, again where that is safe and may do better.
func (c *Client) do(ctx context.Context, r *request, opts []Option) (*reply, error) {
	if err := c.prepare(r, opts); err != nil {
		return nil, err
	}
	defer r.release()
	rep, err := c.retry(ctx, r, c.attempt)
	if f := (*failure)(nil); errors.As(err, &f) {
		err = f.error
	}
	return rep, err
}

// attempt makes the call once.
func (c *Client) attempt(ctx context.Context, r *request) (*reply, error) {
	r.attempts++
	ctx, cancel := c.bound(ctx, r)
	h, err := c.http(ctx, r)
	if err != nil {
		cancel()
		return nil, err
	}
	got, err := c.cfg.HTTP.Do(h)
	if err != nil {
		cancel()
		return nil, &failure{fmt.Errorf("client: %s: %w", r.op, err), r.repeatable()}
	}
	if r.keep != nil {
		*r.keep = answerOf(got.StatusCode, got.Header, r.attempts)
	}
	rep := &reply{op: r.op, status: got.StatusCode, header: got.Header}
	if r.stream && (got.StatusCode < 300 || got.StatusCode == http.StatusNotModified) {
		rep.rest, rep.length = closing{got.Body, cancel}, got.ContentLength
		return rep, nil
	}
	defer cancel()
	return c.read(r, rep, got.Body)
}

// bound limits an attempt that carries no bytes; others last as long as the
// caller wants.
func (c *Client) bound(ctx context.Context, r *request) (context.Context, context.CancelFunc) {
	if r.stream || r.upload != nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.cfg.Timeout)
}

// read takes the body of an answer. One that breaks off is no answer.
func (c *Client) read(r *request, rep *reply, body io.ReadCloser) (*reply, error) {
	defer body.Close()
	var err error
	if rep.body, err = io.ReadAll(io.LimitReader(body, c.cfg.MaxBody+1)); err != nil {
		return nil, &failure{fmt.Errorf("client: %s: %w", r.op, err), r.repeatable()}
	}
	if int64(len(rep.body)) > c.cfg.MaxBody {
		return nil, fmt.Errorf("client: %s: the answer has more than %d bytes", r.op, c.cfg.MaxBody)
	}
	if rep.status >= 300 {
		p := problemOf(rep.status, rep.header, rep.body)
		return nil, &failure{p, r.mayPass(p)}
	}
	return rep, nil
}

// repeatable reports whether the call may be made again when nobody knows
// whether it was done.
func (r *request) repeatable() bool {
	safe := r.key != "" || r.method == http.MethodGet || r.method == http.MethodHead || r.method == http.MethodPut
	return safe && (r.upload == nil || r.upload.rewinds)
}

// mayPass reports whether a refusal is one that time mends: too many requests,
// which did nothing; a server or a store that is away; an earlier attempt under
// this key that still runs.
func (r *request) mayPass(p *Problem) bool {
	switch p.Status {
	case http.StatusTooManyRequests:
		return r.upload == nil || r.upload.rewinds
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return r.repeatable()
	}
	return p.Code == ProblemCodeKeyInProgress && r.repeatable()
}

// closing ends the attempt with its body.
type closing struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b closing) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
