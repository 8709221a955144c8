package actors

import (
	"encoding/binary"

	"github.com/parley-im/parley"
)

// named gives a command that may become a job, makes something, or must not run
// twice a key of its own if it has none.
func (c *Client) named(cmd parley.Command) parley.Command {
	if cmd.ID.IsZero() {
		for half := range len(cmd.ID) / 8 {
			binary.LittleEndian.PutUint64(cmd.ID[8*half:], c.n.nonce())
		}
	}
	return cmd
}

// keyed makes a command with a precondition safe to repeat: without a key of its
// own, a repeat would find its own change in the way.
func (c *Client) keyed(cmd parley.Command, ifMatch parley.Revision) parley.Command {
	if ifMatch == 0 {
		return cmd
	}
	return c.named(cmd)
}
