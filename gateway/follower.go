package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/parley-im/parley"
)

// batch is how many events are asked for at once.
const batch = 256

// follower is one open stream of server-sent events.
type follower struct {
	*Gateway
	user    user
	at      position  // last event written
	checked time.Time // when the token was last seen to hold
	out     *http.ResponseController
}

// run writes events until the client leaves, falls behind retention, stops
// reading, loses its token, or the server drains. Whatever the end, the client
// resumes after the last id that it saw.
func (f *follower) run(ctx context.Context, w http.ResponseWriter, events []parley.Event) error {
	f.out, f.checked = http.NewResponseController(w), f.Now()
	// HTML 9.2.5: wait 3 s before connecting again.
	err := f.write(w, "retry: 3000\n\n")
	for err == nil {
		if err = f.send(w, events); err != nil {
			break
		}
		if err = f.holds(ctx); err != nil {
			break
		}
		events, _, err = f.Mailboxes.Events(ctx, f.user.Account, f.at.revision, f.at.index, f.EventsHeartbeat, batch)
		if err == nil && len(events) == 0 {
			err = f.write(w, ":\n\n")
		}
	}
	return f.ended(ctx, w, err)
}

// ended tells the ends that nobody is to blame for from the others.
func (f *follower) ended(ctx context.Context, w http.ResponseWriter, err error) error {
	switch {
	case ctx.Err() != nil:
		return nil
	case parley.CodeOf(err) == parley.Resync:
		return f.write(w, "event: resync\ndata: {}\n\n")
	}
	return err
}

// holds asks once per heartbeat whether the token still holds: a stream outlives
// many.
func (f *follower) holds(ctx context.Context) error {
	if now := f.Now(); now.Sub(f.checked) >= f.EventsHeartbeat {
		f.checked = now
		return f.user.Still(ctx)
	}
	return nil
}

func (f *follower) send(w http.ResponseWriter, events []parley.Event) error {
	if len(events) == 0 {
		return nil
	}
	var lines []byte
	for _, e := range events {
		shape := eventShape(f.user.Account, e)
		data, err := json.Marshal(shape)
		if err != nil {
			return parley.Wrap(parley.Internal, "gateway.events", err)
		}
		lines = fmt.Appendf(lines, "id: %s\nevent: %s\ndata: %s\n\n", shape.ID, shape.Type, data)
		f.at = position{e.Revision, e.Index}
	}
	return f.write(w, string(lines))
}

// write sends at once; output gives the client WriteTimeout to take it.
func (f *follower) write(w http.ResponseWriter, s string) error {
	if _, err := w.Write([]byte(s)); err != nil {
		return err
	}
	return f.out.Flush()
}
