package edge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/parley-im/parley/service"
)

// Trace is a place in a trace (W3C Trace Context).
type Trace struct {
	ID     [16]byte
	Span   [8]byte // of this request
	Parent [8]byte // of who asked; zero without one
	Flags  byte
	State  string // tracestate, passed on as it came
}

// maxTraceState is what W3C Trace Context 3.3.1.5 asks to pass on at least.
const maxTraceState = 512

type traceKey struct{}

// TraceOf finds the trace of a request in its context.
func TraceOf(ctx context.Context) (Trace, bool) {
	t, ok := ctx.Value(traceKey{}).(Trace)
	return t, ok
}

// Header is the traceparent header for a call that this request makes.
func (t Trace) Header() string {
	return "00-" + hex.EncodeToString(t.ID[:]) + "-" + hex.EncodeToString(t.Span[:]) + "-" + hex.EncodeToString([]byte{t.Flags})
}

// Tracing joins the trace that the client is in, or begins one.
func Tracing() Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		c.traced = traceFrom(c.HTTP.Header)
		return next(context.WithValue(ctx, traceKey{}, c.traced), c)
	}
}

func traceFrom(h http.Header) Trace {
	t, ok := parseParent(h.Get("Traceparent"))
	if !ok {
		t = Trace{}
		_, _ = rand.Read(t.ID[:])
	} else if state := strings.Join(h.Values("Tracestate"), ","); len(state) <= maxTraceState {
		t.State = state
	}
	_, _ = rand.Read(t.Span[:])
	return t
}

// parseParent reads traceparent (section 3.2): a later version may say more
// after the four parts that are known.
func parseParent(s string) (Trace, bool) {
	var t Trace
	if len(s) < 55 || s[2] != '-' || s[35] != '-' || s[52] != '-' || (len(s) > 55 && (s[:2] == "00" || s[55] != '-')) {
		return t, false
	}
	var version, flags [1]byte
	ok := unhex(version[:], s[:2]) && unhex(t.ID[:], s[3:35]) && unhex(t.Parent[:], s[36:52]) && unhex(flags[:], s[53:55])
	t.Flags = flags[0] & 1 // sampled is the only flag of version 00
	return t, ok && version[0] != 0xff && t.ID != [16]byte{} && t.Parent != [8]byte{}
}

func unhex(to []byte, s string) bool {
	if strings.ToLower(s) != s {
		return false
	}
	_, err := hex.Decode(to, []byte(s))
	return err == nil
}
