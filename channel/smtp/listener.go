package smtp

import (
	"fmt"
	"net"
	"time"
)

// gate is a listener that hands out wires, and only as many as may be open.
type gate struct {
	net.Listener
	server *Server
}

// refusalTime is for telling a client that it is not taken; the buffers of a new
// socket take the line at once.
const refusalTime = time.Second

func (g gate) Accept() (net.Conn, error) {
	for {
		conn, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if w := g.server.admit(conn); w != nil {
			return w, nil
		}
		g.server.refuse(conn)
	}
}

// admit makes the wire of a session, or nil when there are too many.
func (s *Server) admit(conn net.Conn) *wire {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining || len(s.wires) >= s.cfg.MaxSessions {
		return nil
	}
	w := newWire(s, conn)
	s.wires[w] = struct{}{}
	s.metrics.sessions.Inc()
	return w
}

// leave is told by each wire as it closes.
func (s *Server) leave(w *wire) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.wires, w)
	s.metrics.sessions.Dec()
	s.settle()
}

// refuse is RFC 5321 3.1 and 4.2.3: 421 in place of the greeting, try again later.
func (s *Server) refuse(conn net.Conn) {
	s.metrics.refused.Inc()
	s.metrics.reply("session", '4')
	conn.SetWriteDeadline(time.Now().Add(refusalTime))
	fmt.Fprintf(conn, "421 4.3.2 %s takes no more sessions now\r\n", s.cfg.Hostname)
	conn.Close()
}
