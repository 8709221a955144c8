package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// sent is an event as the server writes it.
func sent(id string) string {
	return fmt.Sprintf("id: %s\nevent: message.created\ndata: {\"id\":%q,\"type\":\"message.created\",\"data\":{\"message\":\"msg_%s\"}}\n\n", id, id, id)
}

// stream answers with server-sent events.
func stream(text string) func(*http.Request) (*http.Response, error) {
	return says(200, "retry: 3000\n\n"+text, "Content-Type: text/event-stream", "Parley-Revision: 7")
}

// silent is a stream on which nothing comes after the text until the client
// leaves.
func silent(text string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		res, err := stream("")(r)
		res.Body = io.NopCloser(io.MultiReader(strings.NewReader(text), endless{r}))
		return res, err
	}
}

type endless struct{ *http.Request }

func (e endless) Read([]byte) (int, error) {
	<-e.Context().Done()
	return 0, e.Context().Err()
}

// hear follows until so many events have come, or an error.
func hear(t *testing.T, c *Client, from string, n int) (ids []string, err error) {
	t.Helper()
	for e, err := range c.Events(t.Context(), from) {
		if err != nil {
			return ids, err
		}
		if e.Type != EventTypeMessageCreated || string(e.Data.Message) != "msg_"+e.ID {
			t.Errorf("got %+v", e)
		}
		if ids = append(ids, e.ID); len(ids) == n {
			break
		}
	}
	return ids, nil
}

func TestEventsResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := before(t, nil,
			stream(sent("8.0")+": still here\n\n"+sent("8.1")),
			cut,                               // the server restarts
			refuses(503, "unavailable"),       // and begins to answer
			stream(sent("8.1")+sent("9.0")),   // what is known comes again
			stream(sent("9.1")[:40]),          // an event is cut
			silent(sent("9.1")),               // the line goes dead
			stream(sent("9.10")+sent("10.0")), // 10 comes after 9
		)
		ids, err := hear(t, c, "", 6)
		if want := []string{"8.0", "8.1", "9.0", "9.1", "9.10", "10.0"}; err != nil || !slices.Equal(ids, want) {
			t.Errorf("got %q, %v, want %q", ids, err, want)
		}
		var from []string
		for _, r := range s.requests {
			from = append(from, r.Header.Get("Last-Event-ID"))
		}
		if want := []string{"", "8.1", "8.1", "8.1", "9.0", "9.0", "9.1"}; !slices.Equal(from, want) {
			t.Errorf("asked from %q, want %q", from, want)
		}
	})
}

// TestEventsFromNow: a stream that is cut before its first event resumes from
// where it began, and not from a later now.
func TestEventsFromNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := before(t, nil, stream(""), stream(sent("8.0")))
		if ids, err := hear(t, c, "", 1); err != nil || len(ids) != 1 || s.requests[1].Header.Get("Last-Event-ID") != "7" {
			t.Errorf("got %q, %v from %q", ids, err, s.requests[1].Header.Get("Last-Event-ID"))
		}
	})
}

func TestEventsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, tc := range map[string]struct {
			answer func(*http.Request) (*http.Response, error)
			code   ProblemCode
		}{
			"token":          {refuses(401, "unauthenticated"), ProblemCodeUnauthenticated},
			"too old":        {refuses(410, "resync"), ProblemCodeResync},
			"fell behind":    {stream("event: resync\ndata: {}\n\n"), ProblemCodeResync},
			"no event":       {stream("data: hello\n\n"), ""},
			"event of no id": {stream("data: {}\n\n"), ""},
		} {
			c, s := before(t, nil, tc.answer)
			_, err := hear(t, c, "3", 1)
			p := (*Problem)(nil)
			if errors.As(err, &p) != (tc.code != "") || p != nil && p.Code != tc.code || !errors.Is(err, errForm) && p == nil || len(s.requests) != 1 {
				t.Errorf("%s: got %v after %d connections", name, err, len(s.requests))
			}
		}
	})
}

// TestEventsAway: a server that is away is asked ever less often, until the
// caller has had enough.
func TestEventsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := before(t, func(c *Config) { c.Attempts = 1 }, stream(""), cut)
		began := time.Now()
		var at []time.Duration
		s.answers[1] = func(r *http.Request) (*http.Response, error) {
			if at = append(at, time.Since(began)); len(at) == 6 {
				return refuses(403, "not_permitted")(r)
			}
			return nil, errCut
		}
		_, err := hear(t, c, "", 1)
		want := []time.Duration{0, 3 * time.Second, 9 * time.Second, 21 * time.Second, 45 * time.Second, 75 * time.Second}
		if p := (*Problem)(nil); !errors.As(err, &p) || !slices.Equal(at, want) {
			t.Errorf("got %v, asked after %v, want %v", err, at, want)
		}
	})
}

// TestEventStream reads what HTML 9.2.6 allows.
func TestEventStream(t *testing.T) {
	c, _ := before(t, nil, stream(":\r\n\r\nid\r\n\r\ndata:a\r\ndata: b\r\nid: 1\r\n\r\nevent: x\n\nretry: soon\nunknown: 1\ndata\n\ndata: cut"))
	s, err := c.StreamEvents(t.Context(), StreamEventsParams{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, want := range []Sent{{ID: "1", Data: []byte("a\nb")}, {Data: []byte("")}} {
		if got, err := s.Next(); err != nil || got.ID != want.ID || string(got.Data) != string(want.Data) || got.Type != "" {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	if _, err := s.Next(); err != io.EOF || s.Revision != 7 || s.retry != 3*time.Second {
		t.Errorf("got %v, revision %d, retry %v", err, s.Revision, s.retry)
	}
}

// FuzzEventStream: whatever comes, the reader ends, and tells no event without
// data.
func FuzzEventStream(f *testing.F) {
	for _, text := range []string{sent("8.0"), "data: a\r\ndata: b\n\n", ":\n\n\n", "event: resync\ndata: {}\n\n", "data: cut", "retry: 99999999999999999999\n\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, _ := before(t, nil, says(200, text))
		s, err := c.StreamEvents(t.Context(), StreamEventsParams{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for range strings.Count(text, "\n") + 1 {
			e, err := s.Next()
			if err != nil {
				return
			}
			if e.Data == nil && !strings.Contains(text, "data") {
				t.Errorf("an event of nothing: %+v", e)
			}
		}
		t.Error("the stream does not end")
	})
}
