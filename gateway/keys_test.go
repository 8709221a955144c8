package gateway

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

func TestKeyReplays(t *testing.T) {
	h := newHarness(t, nil)
	path := "/v1/threads/" + string(boat) + "/messages"
	first := h.want(201, "", "POST", path, `{"text":"a","roster_version":2}`, asAna, key("k"))
	again := h.want(201, "", "POST", path, ` { "roster_version" : 2, "text" : "\u0061" } `, asAna, key("k"))
	if first.header.Get("Idempotent-Replayed") != "" || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("got Idempotent-Replayed %q, then %q", first.header.Get("Idempotent-Replayed"), again.header.Get("Idempotent-Replayed"))
	}
	if first.body != again.body {
		t.Errorf("got %s, want %s", again.body, first.body)
	}
	for _, name := range []string{"Parley-Revision", "Parley-Command", "Location", "Etag"} {
		if a, b := first.header.Get(name), again.header.Get(name); a == "" || a != b {
			t.Errorf("got %s %q, want %q", name, b, a)
		}
	}
	if got, want := first.header.Get("Parley-Command"), edge.CommandName(secret.Command(ana, "k")); got != want {
		t.Errorf("got Parley-Command %q, want %q", got, want)
	}
	h.want(422, "key_mismatch", "POST", path, `{"text":"b"}`, asAna, key("k"))
	h.want(422, "key_mismatch", "POST", "/v1/threads/"+string(boat)+"/join", "", asAna, key("k"))
	// Another account's key is another key.
	other := h.want(201, "", "POST", path, `{"text":"a"}`, "Authorization: Bearer bo", key("k"))
	if other.header.Get("Idempotent-Replayed") != "" {
		t.Error("a key of Ana answered Bo")
	}
}

// TestKeyOptional: PATCH and DELETE may have a key; without one the zero command
// goes down.
func TestKeyOptional(t *testing.T) {
	h := newHarness(t, nil)
	path := "/v1/messages/" + string(hello)
	h.want(204, "", "DELETE", path, "", asAna, key("k"))
	if again := h.want(204, "", "DELETE", path, "", asAna, key("k")); again.header.Get("Idempotent-Replayed") != "true" {
		t.Error("the repeat did not find the first answer")
	}
	h.want(200, "", "PATCH", path, `{"seen":true}`, asAna, key("p"))
	if again := h.want(200, "", "PATCH", path, `{"seen":true}`, asAna, key("p")); again.header.Get("Idempotent-Replayed") != "true" {
		t.Error("the repeat did not find the first answer")
	}
	h.hook = failing("Message", parley.E(parley.NotFound, "fake", "")) // it was purged since
	h.want(410, "gone", "PATCH", path, `{"seen":true}`, asAna, key("p"))
	h.want(404, "not_found", "PATCH", path, `{"flagged":true}`, asAna, key("q"))
	h.hook = nil
	if a := h.want(200, "", "PATCH", path, `{"seen":true}`, asAna); a.header.Get("Parley-Command") != "" {
		t.Error("a write without a key has a command")
	}
}

// holding is a hook that stops one method until it is let go.
type holding struct {
	method  string
	arrived chan struct{}
	release chan struct{}
}

func hold(method string) *holding {
	return &holding{method, make(chan struct{}, 100), make(chan struct{})}
}

func (w *holding) hook(ctx context.Context, m string) error {
	if m != w.method {
		return nil
	}
	w.arrived <- struct{}{}
	select {
	case <-w.release:
		return nil
	case <-ctx.Done():
		return parley.Wrap(parley.Unavailable, "fake", ctx.Err())
	}
}

func TestKeyInProgressWaits(t *testing.T) {
	h := newHarness(t, nil)
	w := hold("Post")
	h.hook = w.hook
	post := func() answer {
		return serve(h, request("POST", "/v1/threads/"+string(boat)+"/messages", `{"text":"a"}`, asAna, key("k")))
	}
	answers := make(chan answer, 3)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { answers <- post() })
	}
	<-w.arrived // one runs
	close(w.release)
	all.Wait()
	replayed := 0
	for range 3 {
		a := <-answers
		if a.status != 201 {
			t.Errorf("got %d %s", a.status, a.body)
		}
		if a.header.Get("Idempotent-Replayed") == "true" {
			replayed++
		}
	}
	if replayed != 2 || len(h.messages) != 4 {
		t.Errorf("got %d replayed and %d messages, want 2 and 4", replayed, len(h.messages))
	}
}

func TestKeyInProgressEnds(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Timeout = 20 * time.Millisecond })
	w := hold("Upload") // a transfer, so it outlasts the repeat
	h.hook = w.hook
	var first sync.WaitGroup
	first.Go(func() { serve(h, request("POST", "/v1/blobs", "x", "Content-Type: text/plain", asAna, key("k"))) })
	<-w.arrived
	h.want(409, "key_in_progress Idempotency-Key", "POST", "/v1/threads/"+string(boat)+"/join", "", asAna, key("k"))
	close(w.release)
	first.Wait()
}

func TestKeyBounds(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.MaxRunning, c.MaxWaiting = 1, -1 })
	w := hold("Post")
	h.hook = w.hook
	path := "/v1/threads/" + string(boat) + "/messages"
	var first sync.WaitGroup
	first.Go(func() { serve(h, request("POST", path, `{"text":"a"}`, asAna, key("k"))) })
	<-w.arrived
	h.want(409, "key_in_progress Idempotency-Key", "POST", path, `{"text":"a"}`, asAna, key("k"))
	h.want(503, "unavailable", "POST", path, `{"text":"a"}`, asAna, key("l"))
	close(w.release)
	first.Wait()
	h.want(201, "", "POST", path, `{"text":"a"}`, asAna, key("l"))
}

// TestCommand sees what goes down: the body's digest keyed, the time of the edge.
func TestCommand(t *testing.T) {
	seen := map[parley.CommandID]parley.Command{}
	h := newHarness(t, nil)
	spy := &spying{fake: h.fake, seen: seen}
	h.gateway.Rooms = spy
	path := "/v1/threads/" + string(boat) + "/messages"
	for _, k := range []string{"1", "2"} {
		h.want(201, "", "POST", path, `{"text":"a"}`, asAna, key(k))
	}
	h.want(201, "", "POST", path, `{"text":"b"}`, asAna, key("3"))
	one, two, three := seen[secret.Command(ana, "1")], seen[secret.Command(ana, "2")], seen[secret.Command(ana, "3")]
	if one.First != noon || one.Body.IsZero() || one.Body != two.Body || one.Body == three.Body {
		t.Errorf("got %+v, %+v, %+v", one, two, three)
	}
}

type spying struct {
	*fake
	seen map[parley.CommandID]parley.Command
}

func (s *spying) Post(ctx context.Context, acc parley.AccountID, cmd parley.Command, thread parley.ThreadID, p parley.Post) (parley.Posted, error) {
	s.seen[cmd.ID] = cmd
	return s.fake.Post(ctx, acc, cmd, thread, p)
}
