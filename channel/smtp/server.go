package smtp

import (
	"context"
	"errors"
	"net"
	"sync"

	gosmtp "github.com/emersion/go-smtp"
)

// ErrServerClosed is what Serve answers after Shutdown.
var ErrServerClosed = errors.New("smtp: the server is shut down")

// Server is one LMTP door. It may serve several listeners.
type Server struct {
	cfg     Config
	metrics metrics
	inner   *gosmtp.Server

	// life is the lifetime of deliveries: they outlast the client that hangs up,
	// not a Shutdown that runs out of time.
	life context.Context
	kill context.CancelFunc

	serving sync.WaitGroup // calls of Serve

	mu        sync.Mutex // before any wire's own
	draining  bool
	listeners []net.Listener
	wires     map[*wire]struct{}
	idle      chan struct{} // closed when draining and no wire is left
	stopped   chan struct{} // closed when no goroutine is left
}

// New makes a server. It panics when Mailboxes is missing or when its metrics
// are registered already.
func New(cfg Config) *Server {
	if cfg.Mailboxes == nil {
		panic("smtp: Config.Mailboxes is required")
	}
	cfg = cfg.withDefaults()
	s := &Server{
		cfg: cfg, metrics: newMetrics(cfg.Metrics), wires: map[*wire]struct{}{},
		idle: make(chan struct{}), stopped: make(chan struct{}),
	}
	s.life, s.kill = context.WithCancel(context.Background())
	s.inner = gosmtp.NewServer(gosmtp.BackendFunc(s.session))
	s.inner.LMTP = true
	s.inner.Domain = cfg.Hostname
	s.inner.MaxRecipients = cfg.MaxRecipients
	s.inner.MaxMessageBytes = cfg.MaxBytes // for SIZE (RFC 1870); the content is counted in message
	s.inner.EnableSMTPUTF8 = true
	// No mechanism is offered, so AUTH is answered with "not supported" rather
	// than with a demand for TLS.
	s.inner.AllowInsecureAuth = true
	s.inner.ErrorLog = printer{cfg.Log}
	return s
}

func (s *Server) session(c *gosmtp.Conn) (gosmtp.Session, error) {
	return &session{server: s, wire: c.Conn().(*wire)}, nil
}

// Serve takes sessions from l until Shutdown, then returns nil. It closes l.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	if s.draining {
		s.mu.Unlock()
		return errors.Join(ErrServerClosed, l.Close())
	}
	s.serving.Add(1)
	s.listeners = append(s.listeners, l)
	s.mu.Unlock()

	defer s.serving.Done()
	err := s.inner.Serve(gate{Listener: l, server: s})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining && errors.Is(err, net.ErrClosed) {
		return nil
	}
	return errors.Join(err, l.Close())
}

// Shutdown takes no new session, lets those inside a message finish it and
// answer as long as it keeps coming, and ends the others with 421. When ctx ends first, what is left is
// cut off: clients without an answer try again.
func (s *Server) Shutdown(ctx context.Context) error {
	s.drain()
	defer s.kill()
	select {
	case <-s.stopped:
		return nil
	case <-ctx.Done():
		s.cut()
		return ctx.Err()
	}
}

// drain tells listeners and sessions.
func (s *Server) drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return
	}
	s.draining = true
	for _, l := range s.listeners {
		l.Close()
	}
	for w := range s.wires {
		w.drain()
	}
	s.settle()
	go s.stop()
}

// stop waits for the sessions. go-smtp counts them in a WaitGroup, which takes no
// more once it is waited for: Serve has to be over first.
func (s *Server) stop() {
	<-s.idle
	s.serving.Wait()
	s.inner.Shutdown(s.life) // what it could say is that the listeners are closed
	close(s.stopped)
}

// settle closes idle when it is time; s.mu is held.
func (s *Server) settle() {
	if s.draining && len(s.wires) == 0 {
		close(s.idle)
	}
}

// cut ends the connections under the sessions that are left.
func (s *Server) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.wires {
		w.Conn.Close()
	}
}
