package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Problem is a refusal (RFC 9457): what was asked was not done. Branch on Code;
// it is "" when something between client and server answered instead.
type Problem struct {
	ProblemFields

	RetryAfter time.Duration // 0: the server does not say
	Body       []byte        // all that was answered, other members too
}

func (p *Problem) Error() string {
	text := strings.TrimSpace(fmt.Sprintf("client: %d %s", p.Status, p.Code))
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	if p.Field != "" {
		text += " (" + p.Field + ")"
	}
	if p.RequestID != "" {
		text += " [" + p.RequestID + "]"
	}
	return text
}

// problemOf reads a refusal; the status line and the headers win over the body,
// which may be of a proxy.
func problemOf(status int, h http.Header, body []byte) *Problem {
	p := new(Problem)
	if json.Unmarshal(body, &p.ProblemFields) != nil {
		p = &Problem{ProblemFields: ProblemFields{Title: http.StatusText(status)}}
	}
	p.Status, p.Body, p.RetryAfter = int64(status), body, retryAfter(h.Get("Retry-After"))
	if id := h.Get("Parley-Request-Id"); id != "" {
		p.RequestID = id
	}
	return p
}

// retryAfter reads seconds; parley sends no dates (RFC 9110 10.2.3 has both).
func retryAfter(value string) time.Duration {
	seconds, err := strconv.ParseInt(value, 10, 32)
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
