package smtp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/textproto"
	"testing"
	"time"
)

// A message whose content has come is answered before the server ends, though
// the answer takes its time; new clients are not taken meanwhile.
func TestShutdownWaitsForAnswers(t *testing.T) {
	f := &fake{hold: make(chan struct{})}
	addr, s := serve(t, Config{Mailboxes: f})
	busy, idle := dial(t, addr), dial(t, addr)
	busy.begin("bo@mail.example")
	busy.send("text\r\n.\r\n")

	down := make(chan error, 1)
	go func() { down <- s.Shutdown(t.Context()) }()
	idle.want(421) // says that the drain has begun
	if conn, err := net.Dial("tcp", addr); err == nil {
		conn.Close()
		t.Error("a new client is taken")
	}
	select {
	case err := <-down:
		t.Fatalf("Shutdown returned %v before the answer", err)
	default:
	}
	close(f.hold)
	busy.want(250, 421)
	if err := <-down; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if _, err := busy.ReadLine(); err != io.EOF {
		t.Errorf("after 421: %v", err)
	}
	if err := s.Serve(newPipes()); !errors.Is(err, ErrServerClosed) {
		t.Errorf("Serve after Shutdown: %v", err)
	}
}

// When its time is over, Shutdown cuts off what is left: no answer, so the client
// tries again, and the delivery is told to stop.
func TestShutdownOutOfTime(t *testing.T) {
	f := &fake{}
	addr, s := serve(t, Config{Mailboxes: f})
	half, waiting := dial(t, addr), dial(t, addr)
	half.begin("bo@mail.example")
	half.send("half of a mess")
	waiting.begin("slow@mail.example")
	waiting.send("text\r\n.\r\n")

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Shutdown: got %v", err)
	}
	for _, c := range []raw{half, waiting} {
		if line, err := c.ReadLine(); err == nil {
			t.Errorf("an answer without a commit: %q", line)
		}
	}
	if got := f.deliveries(); len(got) != 0 {
		t.Errorf("delivered %v", got)
	}
}

// A client that stands still inside its message is sent away; one that goes on is
// answered.
func TestShutdownSendsTheStalledAway(t *testing.T) {
	f := &fake{}
	addr, s := serve(t, Config{Mailboxes: f})
	stalled, chunked, going := dial(t, addr), dial(t, addr), dial(t, addr)
	stalled.begin("bo@mail.example")
	stalled.send("half of a mess")
	chunked.send("MAIL FROM:<ana@example.org>\r\nRCPT TO:<bo@mail.example>\r\n")
	chunked.want(250, 250)
	chunked.send("BDAT 100\r\nhalf")
	going.begin("bo@mail.example")
	down := make(chan error, 1)
	go func() { down <- s.Shutdown(t.Context()) }()
	away := make(chan struct{})
	go func() {
		defer close(away)
		stalled.want(421)
		chunked.want(421)
	}()
	for waiting := true; waiting; {
		going.send("a line\r\n")
		select {
		case <-away:
			waiting = false
		case <-time.After(20 * time.Millisecond):
		}
	}
	going.send(".\r\n")
	going.want(250, 421)
	if err := <-down; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if got := f.deliveries(); len(got) != 1 {
		t.Errorf("delivered %v, want the message that came to its end", got)
	}
}

// Shutdown may be called by several, and without any Serve.
func TestShutdownTwice(t *testing.T) {
	s := New(Config{Mailboxes: &fake{}})
	errs := make(chan error, 2)
	for range 2 {
		go func() { errs <- s.Shutdown(t.Context()) }()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// A session that ends makes room for another, once its end is through.
func TestSessionsComeBack(t *testing.T) {
	addr, _ := serve(t, Config{Mailboxes: &fake{}, MaxSessions: 1})
	deadline := time.Now().Add(time.Minute)
	for done := 0; done < 20; {
		conn, err := textproto.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		code, _, _ := conn.ReadCodeLine(0)
		if code == 220 {
			done++
		} else if code != 421 || time.Now().After(deadline) {
			t.Fatalf("got %d after %d sessions", code, done)
		}
		conn.Cmd("QUIT")
		conn.Close()
	}
}
