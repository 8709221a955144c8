package edge

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/errmap"
)

// Problem is RFC 9457's, with a code for programs.
type Problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail,omitempty"`
	Code      string `json:"code"`
	Field     string `json:"field,omitempty"`
	RequestID string `json:"request_id"`

	// Of participants_changed: who came in, and the roster version that has them.
	Participants  []Participant `json:"participants,omitempty"`
	RosterVersion parley.Seq    `json:"roster_version,omitempty"`
}

// Fault is a failure that only HTTP knows, so that parley has no code for it.
type Fault struct {
	Status        int
	Code          string
	Public, Field string
}

func (f *Fault) Error() string { return "gateway: " + f.Code + ": " + f.Public }

// Bad refuses a value of the request.
func Bad(field, public string) error {
	return &parley.Error{Code: parley.BadRequest, Op: "gateway.request", Public: public, Field: field}
}

// problemOf maps an error once, and says how long to wait before another attempt.
func problemOf(err error, request string) (Problem, time.Duration) {
	var wait time.Duration
	p := Problem{RequestID: request}
	if f := (*Fault)(nil); errors.As(err, &f) {
		p.Status, p.Code, p.Detail, p.Field = f.Status, f.Code, f.Public, f.Field
	} else {
		p.Status, p.Code, p.Detail, p.Field, wait = errmap.HTTP(err)
		p.Participants, p.RosterVersion = participants(parley.RosterOf(err))
	}
	p.Type = "urn:parley:problem:" + p.Code
	p.Title = strings.ToUpper(p.Code[:1]) + strings.ReplaceAll(p.Code[1:], "_", " ")
	return p, wait
}

// problemReply is an error as an answer.
func problemReply(c *Call, err error) (*Reply, Problem) {
	p, wait := problemOf(err, c.ID)
	r := (&Reply{Status: p.Status, Body: p}).Set("Content-Type", "application/problem+json")
	if wait > 0 {
		r.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	if p.Status == http.StatusUnauthorized {
		r.Set("WWW-Authenticate", `Bearer realm="parley"`) // RFC 6750 3
	}
	if c.allow != "" && p.Status == http.StatusMethodNotAllowed {
		r.Set("Allow", c.allow) // RFC 9110 15.5.6
	}
	return r, p
}
