package edge

import (
	"bytes"
	"context"
	"net/http"

	"github.com/parley-im/parley/service"
)

// OneByOne refuses what a batch cannot hold: streams, bytes, and what anybody may
// ask for. What no route is for passes, and is told so like anywhere.
func OneByOne(batch string) Filter {
	return func(ctx context.Context, c *Call, next service.Service[*Call, *Reply]) (*Reply, error) {
		r := c.Route
		if r.Name != unknown && (r.Name == batch || r.Timing != Quick || r.Stream || r.open != nil || c.HTTP.Method == http.MethodHead) {
			return nil, &Fault{Status: http.StatusBadRequest, Code: "not_in_batch", Public: "This is asked for alone, not in a batch."}
		}
		return next(ctx, c)
	}
}

// Taken is an answer that was held in memory.
type Taken struct {
	Status int
	Header http.Header
	Body   []byte
	Over   bool // it was larger than what was left: Body is nothing
}

// Take runs a request that came within another, and holds its answer.
func (s *Server) Take(r *http.Request, most int) Taken {
	t := &taker{header: http.Header{}, left: most}
	s.ServeHTTP(t, r)
	if t.over {
		return Taken{Status: t.status, Header: t.header, Over: true}
	}
	return Taken{Status: t.status, Header: t.header, Body: t.body.Bytes()}
}

// taker is a writer of answers that has only so much room.
type taker struct {
	header http.Header
	status int
	body   bytes.Buffer
	left   int
	over   bool
}

func (t *taker) Header() http.Header { return t.header }

func (t *taker) WriteHeader(status int) {
	if t.status == 0 {
		t.status = status
	}
}

func (t *taker) Write(b []byte) (int, error) {
	t.WriteHeader(http.StatusOK)
	if t.left -= len(b); t.left < 0 {
		t.over = true
		t.body.Reset()
		return 0, http.ErrContentLength
	}
	return t.body.Write(b)
}

// NotRun says that an answer stands for a request which was left out.
func NotRun(id string) Problem {
	p, _ := problemOf(&Fault{Status: http.StatusFailedDependency, Code: "not_run", Public: "An earlier request of the batch failed, or its answers became too large."}, id)
	return p
}

// TooMuch says that a request was carried out and its answer has no room.
func TooMuch(id string) Problem {
	p, _ := problemOf(&Fault{Status: http.StatusRequestEntityTooLarge, Code: "answer_too_large", Public: "This was done. Its answer has no room in the batch: ask for it alone."}, id)
	return p
}
