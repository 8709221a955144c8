package edge

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
)

// Server turns HTTP requests into calls and replies into answers.
type Server struct {
	Router       *Router
	Chain        service.Service[*Call, *Reply]
	Log          *slog.Logger
	Now          func() time.Time
	WriteTimeout time.Duration // without progress
	Inner        bool          // its requests came within another, which counts as running
}

// ServeHTTP runs one request through the chain.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &Call{HTTP: r, Start: s.Now(), Control: http.NewResponseController(w), inner: s.Inner}
	s.Router.match(c)
	out := &output{ResponseWriter: w, control: c.Control, timeout: s.WriteTimeout}
	var done Done
	defer func() {
		v := recover() // of a stream; the chain has its own
		if v != nil && v != http.ErrAbortHandler {
			s.Log.Error("panic", "op", "gateway.write", "request", c.ID, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
		}
		done.Status, done.Bytes, done.Took = out.status, out.bytes, s.Now().Sub(c.Start)
		c.finish(done)
		if v != nil {
			panic(http.ErrAbortHandler) // the answer cannot be completed; the client must see that
		}
	}()
	reply, err := s.Chain(r.Context(), c)
	done.HungUp = err != nil && r.Context().Err() == context.Canceled
	if err == nil {
		if err = s.write(out, c, reply); err == nil || out.status != 0 {
			done.Err = err
			return
		}
	}
	rep, p := problemReply(c, err)
	done.Err, done.Code = err, p.Code
	if werr := s.write(out, c, rep); werr != nil {
		done.HungUp = true
	}
}

// write sends one reply. It fails before the first byte or not at all visibly.
func (s *Server) write(out *output, c *Call, r *Reply) error {
	h := out.Header()
	secure(h)
	h.Set("Parley-Request-Id", c.ID)
	for name, values := range r.Header {
		h[name] = values
	}
	if r.Revision > 0 {
		h.Set("Parley-Revision", strconv.FormatUint(uint64(r.Revision), 10))
	}
	if r.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	if !c.Command.ID.IsZero() && r.Status < 300 {
		h.Set("Parley-Command", CommandName(c.Command.ID))
	}
	if r.Write != nil {
		return r.Write(out)
	}
	return writeBody(out, c, r)
}

func writeBody(out *output, c *Call, r *Reply) error {
	if r.Body == nil {
		out.WriteHeader(r.Status)
		return nil
	}
	body, err := json.Marshal(r.Body)
	if err != nil {
		return parley.Wrap(parley.Internal, "gateway.write", err)
	}
	h := out.Header()
	if r.Header.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/json")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	out.WriteHeader(r.Status)
	if c.HTTP.Method == http.MethodHead {
		return nil
	}
	_, err = out.Write(body)
	return err
}

// secure sets what every answer carries: nothing here is a page, is to be
// guessed at, framed, run, or kept by a cache. There is no CORS: the web inbox
// has the same origin.
func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// CommandName is how a command is called outside: in Parley-Command and as the
// cause of events.
func CommandName(id parley.CommandID) string { return parley.FormatID("cmd_", id) }
