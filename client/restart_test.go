package client_test

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/parley-im/parley/client"
)

// TestThroughKills: while the server is killed and started again, every post is
// done once, in order, and every event of it is heard once.
func TestThroughKills(t *testing.T) {
	p, people, err := start("ana", "bo")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { p.stop(syscall.SIGTERM) }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ana, bo := people[0], people[1]
	room, err := ana.CreateRoom(ctx, client.NewRoom{To: []client.Recipient{{Address: "bo@example.org"}}})
	if err != nil {
		t.Fatal(err)
	}
	const posts, kills = 24, 2
	heard := make(chan []client.MessageID, 1)
	go func() { heard <- hear(ctx, bo, posts) }()
	due := make(chan struct{})
	ended := make(chan error, 1)
	go func() { ended <- kill(p, due) }()
	var want []client.MessageID
	for i := range posts {
		if i%(posts/kills) == 5 {
			due <- struct{}{} // while the next ones are on their way
		}
		m, err := ana.PostMessage(ctx, room.ID, client.Post{Text: fmt.Sprint(i)})
		if err != nil {
			t.Fatalf("post %d: %v", i, err)
		}
		want = append(want, m.ID)
	}
	close(due)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := <-heard; !slices.Equal(got, want) {
		t.Errorf("heard %d events %q, want %q", len(got), got, want)
	}
	var got []client.MessageID
	for m, err := range bo.AllMessages(ctx, room.ID, client.ListMessagesParams{Limit: 7}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("bo has %d messages %q, want %q", len(got), got, want)
	}
}

// hear collects the messages that events tell of, in the order in which they
// come, until there are so many or the time is over.
func hear(ctx context.Context, c *client.Client, n int) (ids []client.MessageID) {
	for e, err := range c.Events(ctx, "0") {
		if err != nil {
			return ids
		}
		if e.Type != client.EventTypeMessageCreated {
			continue
		}
		if m, err := c.GetMessage(ctx, e.Data.Message); err != nil || m.Kind != client.MessageKindMessage {
			continue // a notice
		}
		if ids = append(ids, e.Data.Message); len(ids) == n {
			break
		}
	}
	return ids
}

// kill kills the server each time it is due, and starts it again.
func kill(p *program, due <-chan struct{}) error {
	for range due {
		p.stop(syscall.SIGKILL)
		if err := p.serve(); err != nil {
			return err
		}
	}
	return nil
}
