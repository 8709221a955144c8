package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// event is one server-sent event.
type event struct {
	ID     string
	Type   string
	Thread string
	Data   struct{ Message string }
}

// stream follows somebody's events as they happen.
type stream struct {
	mu     sync.Mutex
	events []event // under mu
	stop   context.CancelFunc
	ended  chan struct{}
}

// listen follows events from now on, or after one that was seen.
func (p *person) listen(ctx context.Context, after string) (*stream, error) {
	ctx, stop := context.WithCancel(ctx)
	r, err := p.request(ctx, http.MethodGet, "/events", nil)
	if err != nil {
		stop()
		return nil, err
	}
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		stop()
		return nil, err
	}
	if got.StatusCode != http.StatusOK {
		stop()
		return nil, fmt.Errorf("events of %s: %s", p.name, got.Status)
	}
	s := &stream{stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		defer got.Body.Close()
		for lines := bufio.NewScanner(got.Body); lines.Scan(); {
			s.line(lines.Text())
		}
	}()
	return s, nil
}

// line takes one line of the stream (HTML 9.2.6). The data of an event says all
// that its other fields say.
func (s *stream) line(text string) {
	data, ok := strings.CutPrefix(text, "data:")
	var e event
	if !ok || json.Unmarshal([]byte(data), &e) != nil || e.ID == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

// close ends the stream and waits for its reader.
func (s *stream) close() {
	s.stop()
	<-s.ended
}

// seen is what came so far.
func (s *stream) seen() []event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]event(nil), s.events...)
}

// created lists the messages of a thread that events said were new.
func created(events []event, thread string) (ids []string) {
	for _, e := range events {
		if e.Type == "message.created" && e.Thread == thread {
			ids = append(ids, e.Data.Message)
		}
	}
	return ids
}
