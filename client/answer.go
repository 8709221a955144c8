package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// Answer is what an answer says beside its body.
type Answer struct {
	Status    int
	RequestID string    // quote it when asking about this call
	Revision  Revision  // that the answer shows; 0 where the copy has not yet come
	Command   CommandID // names a write; the events that it causes carry it
	Replayed  bool      // the answer of an earlier call under this key
	ETag      string    // for IfMatch
	Location  string    // where what was created is
	Attempts  int       // how often the call was made
}

func answerOf(status int, h http.Header, attempts int) Answer {
	rev, _ := strconv.ParseInt(h.Get("Parley-Revision"), 10, 64) // absent: 0
	return Answer{
		Status: status, RequestID: h.Get("Parley-Request-Id"), Revision: Revision(rev), Command: CommandID(h.Get("Parley-Command")),
		Replayed: h.Get("Idempotent-Replayed") == "true", ETag: h.Get("ETag"), Location: h.Get("Location"), Attempts: attempts,
	}
}

// decoded reads the body of an answer. It takes the results of do, so that the
// methods are one line.
func decoded[T any](rep *reply, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	if rep.status == http.StatusNoContent { // of an operation that answers with a body at times
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal(rep.body, v); err != nil {
		return nil, fmt.Errorf("client: %s: an answer of another form: %w", rep.op, err)
	}
	return v, nil
}
