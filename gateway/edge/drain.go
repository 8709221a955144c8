package edge

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// What is read of a body that was refused.
const (
	maxDrain  = 16 << 20
	drainTime = 10 * time.Second
)

// drain reads some more of what a refused request sends. Many clients read nothing
// before they have sent everything, and to them a connection that is closed in the
// middle is a reset, not the answer that was written to it (RFC 9112 9.6).
func (p *parser) drain(c *Call, body io.ReadCloser, refusal error) {
	if c.asksFirst() || tooSlow(refusal) {
		return
	}
	rest := &bounded{
		ReadCloser: body, ctx: c.HTTP.Context(), control: c.Control, timeout: min(drainTime, p.Timeout), hurry: p.Hurry,
		max: maxDrain, left: maxDrain, whole: true,
	}
	_, _ = io.Copy(io.Discard, rest) // the refusal is the answer, however this ends
}

// asksFirst reports whether the client waits to be told to send (RFC 9110 10.1.1),
// which is what a read of the body would do.
func (c *Call) asksFirst() bool {
	begun := c.sent != nil && c.sent.begun
	return !begun && strings.EqualFold(c.HTTP.Header.Get("Expect"), "100-continue")
}

// tooSlow says that the sender has had its time.
func tooSlow(err error) bool {
	f := (*Fault)(nil)
	return errors.As(err, &f) && f.Status == http.StatusRequestTimeout
}
