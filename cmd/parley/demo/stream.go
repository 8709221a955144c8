package demo

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/parley-im/parley/client"
)

// stream follows somebody's events as they happen.
type stream struct {
	mu     sync.Mutex
	events []client.Event // under mu
	stop   context.CancelFunc
	ended  chan struct{}
}

// listen follows events from now on, or after one that was seen.
func (p *person) listen(ctx context.Context, after string) (*stream, error) {
	if after == "" {
		box, err := p.GetMailbox(ctx)
		if err != nil {
			return nil, err
		}
		after = strconv.FormatInt(int64(box.Revision), 10)
	}
	ctx, stop := context.WithCancel(ctx)
	s := &stream{stop: stop, ended: make(chan struct{})}
	events := p.Events(ctx, after)
	go func() {
		defer close(s.ended)
		for e, err := range events {
			if err != nil {
				return // what is missing is seen by the checks
			}
			s.add(e)
		}
	}()
	return s, nil
}

func (s *stream) add(e client.Event) {
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
func (s *stream) seen() []client.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// created lists the messages of a thread that events said were new.
func created(events []client.Event, thread client.ThreadID) (ids []client.MessageID) {
	for _, e := range events {
		if e.Type == client.EventTypeMessageCreated && e.Thread == thread {
			ids = append(ids, e.Data.Message)
		}
	}
	return ids
}
