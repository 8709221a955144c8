package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestOneKey: a write is repeated under one key until it is answered, and the
// next one has another.
func TestOneKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := before(t, nil, cut, refuses(503, "unavailable", "Retry-After: 2"), half, refuses(409, "key_in_progress"), says(201, `{"id":"msg_1"}`))
		began := time.Now()
		var got Answer
		if _, err := c.PostMessage(t.Context(), "thr_1", Post{Text: "a"}, Keep(&got)); err != nil {
			t.Fatal(err)
		}
		key := s.requests[0].Header.Get("Idempotency-Key")
		for i, r := range s.requests {
			if k := r.Header.Get("Idempotency-Key"); k != key || s.bodies[i] != `{"text":"a"}` {
				t.Errorf("attempt %d: key %q, body %q", i, k, s.bodies[i])
			}
		}
		if took := time.Since(began); got.Attempts != 5 || len(key) < 20 || took < 2*time.Second || took > 5*time.Second {
			t.Errorf("%d attempts in %v under %q", got.Attempts, took, key)
		}
		if _, err := c.PostMessage(t.Context(), "thr_1", Post{Text: "a"}); err != nil || s.requests[5].Header.Get("Idempotency-Key") == key {
			t.Errorf("the next call: %v, the same key", err)
		}
	})
}

// TestBounds: attempts, pauses and the caller's deadline end a call, with the
// last failure.
func TestBounds(t *testing.T) {
	for name, tc := range map[string]struct {
		answer   func(*http.Request) (*http.Response, error)
		change   func(*Config)
		deadline time.Duration
		want     int
	}{
		"attempts":        {cut, nil, time.Hour, 6},
		"one attempt":     {cut, func(c *Config) { c.Attempts = 1 }, time.Hour, 1},
		"a long wait":     {refuses(503, "unavailable", "Retry-After: 11"), nil, time.Hour, 1},
		"the deadline":    {refuses(503, "unavailable", "Retry-After: 3"), nil, 4 * time.Second, 2},
		"a refusal":       {refuses(403, "not_permitted"), nil, time.Hour, 1},
		"another problem": {refuses(409, "conflict"), nil, time.Hour, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tc.deadline)
				defer cancel()
				c, s := before(t, tc.change, tc.answer)
				_, err := c.JoinRoom(ctx, "thr_1")
				if p := (*Problem)(nil); !errors.Is(err, errCut) && !errors.As(err, &p) || len(s.requests) != tc.want {
					t.Errorf("got %v after %d attempts, want %d", err, len(s.requests), tc.want)
				}
			})
		})
	}
}

// TestUnknownOutcome: what has no key and would do more the second time is not
// repeated when it may have happened, but is when it certainly has not.
func TestUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, tc := range map[string]struct {
			answer func(*http.Request) (*http.Response, error)
			want   int
		}{"cut": {cut, 1}, "away": {refuses(503, "unavailable"), 1}, "too many": {refuses(429, "rate_limited"), 2}} {
			c, s := before(t, nil, tc.answer, says(204, ""))
			err := c.DeleteToken(t.Context(), "tok_1")
			if len(s.requests) != tc.want || (err == nil) != (tc.want == 2) {
				t.Errorf("%s: got %v after %d attempts, want %d", name, err, len(s.requests), tc.want)
			}
		}
		c, s := before(t, nil, cut)
		_, err := c.DeleteThread(t.Context(), "thr_1", Unkeyed())
		if len(s.requests) != 1 || !errors.Is(err, errCut) || s.requests[0].Header["Idempotency-Key"] != nil {
			t.Errorf("without a key: got %v after %d attempts", err, len(s.requests))
		}
		c, s = before(t, nil, cut, cut, says(200, `{}`))
		if _, err := c.GetMailbox(t.Context()); err != nil || len(s.requests) != 3 {
			t.Errorf("a read: %v after %d attempts", err, len(s.requests))
		}
	})
}

// TestSlowAttempt: one that takes too long is given up, and the next may do.
func TestSlowAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		c, s := before(t, nil, slow, says(200, `{"badge":2}`))
		if m, err := c.GetMailbox(t.Context()); err != nil || m.Badge != 2 || len(s.requests) != 2 {
			t.Errorf("got %+v, %v after %d attempts", m, err, len(s.requests))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c, _ = before(t, nil, slow)
		if _, err := c.GetMailbox(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestUpload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		content := strings.NewReader("before, all of it")
		if _, err := content.Seek(8, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		c, s := before(t, nil, cut, says(201, `{"blob":"blb_1"}`))
		a, err := c.UploadBlob(t.Context(), content, UploadBlobParams{Name: "a b.txt"}, ContentType("text/plain"))
		if err != nil || a.Blob != "blb_1" {
			t.Fatalf("got %+v, %v", a, err)
		}
		for i, r := range s.requests {
			if s.bodies[i] != "all of it" || r.ContentLength != 9 || r.Header.Get("Content-Type") != "text/plain" || r.URL.RawQuery != "name=a+b.txt" {
				t.Errorf("attempt %d: %q, %d bytes, %v", i, s.bodies[i], r.ContentLength, r.Header)
			}
		}
		for name, tc := range map[string]struct {
			content io.Reader
			opts    []Option
			length  int64
		}{
			"stream": {io.MultiReader(strings.NewReader("all")), nil, -1},
			"sized":  {io.MultiReader(strings.NewReader("all")), []Option{Size(3)}, 3},
			"empty":  {strings.NewReader(""), nil, 0},
		} {
			c, s := before(t, nil, cut)
			_, err := c.UploadBlob(t.Context(), tc.content, UploadBlobParams{}, tc.opts...)
			want := 1
			if name == "empty" {
				want = 6
			}
			if !errors.Is(err, errCut) || len(s.requests) != want || s.requests[0].ContentLength != tc.length {
				t.Errorf("%s: got %v after %d attempts of %d bytes", name, err, len(s.requests), s.requests[0].ContentLength)
			}
		}
	})
}

// TestUploadIsLeft: after a call nobody reads the caller's content any more.
func TestUploadIsLeft(t *testing.T) {
	var body io.ReadCloser
	c, _ := before(t, func(c *Config) {
		c.HTTP = &http.Client{Transport: early(func(r *http.Request) (*http.Response, error) {
			body = r.Body
			return refuses(413, "too_large")(r)
		})}
	}, nil)
	content := strings.NewReader("all of it")
	if _, err := c.UploadBlob(t.Context(), content, UploadBlobParams{}); err == nil {
		t.Fatal("taken")
	}
	if n, err := body.Read(make([]byte, 3)); n != 0 || err == nil || content.Len() != 9 {
		t.Errorf("read %d, %v; %d bytes are left", n, err, content.Len())
	}
}

// early answers before it has read the body.
type early func(*http.Request) (*http.Response, error)

func (f early) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestDownload(t *testing.T) {
	c, _ := before(t, nil, says(206, "0123", "Content-Type: image/png", `Content-Disposition: attachment; filename="a.png"`, `ETag: "x"`, "Content-Range: bytes 0-3/10"))
	d, err := c.GetBlob(t.Context(), "blb_1", GetBlobParams{Range: ByteRange(0, 3)})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	text, err := io.ReadAll(d)
	got := *d
	got.ReadCloser = nil
	if want := (Download{Status: 206, Type: "image/png", Name: "a.png", Size: 4, ETag: `"x"`, Range: "bytes 0-3/10"}); err != nil || string(text) != "0123" || got != want {
		t.Errorf("got %q %+v, %v, want %+v", text, got, err, want)
	}
	c, _ = before(t, nil, says(304, ""))
	if d, err := c.GetBlob(t.Context(), "blb_1", GetBlobParams{IfNoneMatch: `"x"`}); err != nil || d.Status != 304 || d.Size != 0 {
		t.Errorf("got %+v, %v", d, err)
	}
	c, _ = before(t, nil, refuses(404, "not_found"))
	if p := (*Problem)(nil); true {
		if _, err := c.GetBlob(t.Context(), "blb_1", GetBlobParams{}); !errors.As(err, &p) || p.Status != 404 {
			t.Errorf("got %v", err)
		}
	}
}
