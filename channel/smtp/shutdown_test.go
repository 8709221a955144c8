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
