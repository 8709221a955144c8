package verb

import (
	"context"
	"encoding/json"
	"errors"
	"net"

	"github.com/parley-im/parley/internal/control"
)

// RemoteError is what a server said is wrong, in words that are ready to be shown.
type RemoteError struct {
	Text string
	Code int // exit code
}

func (e *RemoteError) Error() string { return e.Text }

// Send has the server at conn run a verb, and closes conn.
func Send(ctx context.Context, conn net.Conn, v Verb, std IO) error {
	args, err := json.Marshal(v)
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	r := control.Request{Verb: v.Name(), Args: args, Stdin: std.In, Terminal: std.Terminal}
	result, err := control.Call(ctx, conn, r, std.Out, std.Diag)
	if err != nil || result.Code == 0 {
		return err
	}
	return &RemoteError{result.Message, result.Code}
}
