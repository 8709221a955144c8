package control

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
)

// Call has the server at conn run a verb, and closes conn. When ctx ends the verb
// is cancelled, and Call still waits for its result.
func Call(ctx context.Context, conn net.Conn, r Request, out, diag io.Writer) (Result, error) {
	defer conn.Close()
	to := &frames{w: conn}
	if err := to.sendJSON(requestFrame, r); err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrLost, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = to.send(cancelFrame, nil) })
	defer stop()
	for {
		k, payload, err := receive(conn)
		if err != nil {
			return Result{}, fmt.Errorf("%w: %w", ErrLost, err)
		}
		switch k {
		case outFrame:
			_, err = out.Write(payload)
		case diagFrame:
			_, err = diag.Write(payload)
		case resultFrame:
			var result Result
			return result, json.Unmarshal(payload, &result)
		default:
			err = fmt.Errorf("control: a frame of kind %q", k)
		}
		if err != nil {
			return Result{}, err // the server sees that nobody reads, and cancels
		}
	}
}
