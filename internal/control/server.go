package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Config says how a server runs verbs.
type Config struct {
	Handler Handler       // required
	Log     *slog.Logger  // nil discards
	Most    int           // verbs at once; 0 means 8
	Grace   time.Duration // for cancelled verbs to end when the server does; 0 means 10 s
}

// Server runs verbs for others.
type Server struct {
	cfg   Config
	slots chan struct{}
}

// requestWait is how long a caller may take to say what it wants.
const requestWait = 10 * time.Second

// NewServer makes a server.
func NewServer(cfg Config) *Server {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Most == 0 {
		cfg.Most = 8
	}
	if cfg.Grace == 0 {
		cfg.Grace = 10 * time.Second
	}
	return &Server{cfg: cfg, slots: make(chan struct{}, cfg.Most)}
}

// Serve answers at l until ctx ends. It then cancels what runs, waits for it,
// and closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var running sync.WaitGroup
	defer running.Wait()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer func() {
		if stop() {
			_ = l.Close()
		}
	}()
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("control: %w", err)
		}
		running.Go(func() { s.answer(ctx, conn) })
	}
}

// answer serves one connection.
func (s *Server) answer(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	to := &frames{w: conn}
	if err := checkPeer(conn); err != nil {
		s.cfg.Log.Warn("control connection refused", "error", err)
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(requestWait))
	r, err := readRequest(conn)
	if err != nil {
		_ = to.sendJSON(resultFrame, Result{Code: 1, Message: err.Error()})
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		_ = to.sendJSON(resultFrame, Result{Code: 1, Message: "the server runs as many commands as it may; try again"})
		return
	}
	s.run(ctx, conn, to, r)
}

// run lets the verb work until the caller cancels it, goes away, or the server
// ends. One that does not heed the end loses its connection.
func (s *Server) run(ctx context.Context, conn net.Conn, to *frames, r Request) {
	verbCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	var watching sync.WaitGroup
	watching.Go(func() {
		_, _, _ = receive(conn) // a cancel, or the end of the connection
		cancel()
	})
	defer watching.Wait()
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetWriteDeadline(time.Now().Add(s.cfg.Grace)) })
	defer stop()
	result := s.cfg.Handler(verbCtx, r, stream{to, outFrame}, stream{to, diagFrame})
	if err := to.sendJSON(resultFrame, result); err != nil {
		s.cfg.Log.Info("control caller went away", "verb", r.Verb, "error", err)
	}
}

func readRequest(conn net.Conn) (r Request, err error) {
	k, payload, err := receive(conn)
	if err != nil {
		return r, err
	}
	if k != requestFrame {
		return r, errors.New("control: no request")
	}
	return r, json.Unmarshal(payload, &r)
}
