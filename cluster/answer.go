package cluster

import (
	"context"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// answer takes the answer to one request. The library's own future is written
// to without a lock, so that one that is given up while its answer comes is a data
// race; and it has to be waited for by a goroutine.
type answer struct{ got chan any }

// SendUserMessage implements actor.Process: the first message is the answer.
func (a answer) SendUserMessage(_ *actor.PID, message any) {
	select {
	case a.got <- actor.UnwrapEnvelopeMessage(message):
	default:
	}
}

// SendSystemMessage implements actor.Process.
func (answer) SendSystemMessage(*actor.PID, any) {}

// Stop implements actor.Process.
func (answer) Stop(*actor.PID) {}

var (
	errNoAnswer = errors.New("cluster: no answer in time")
	errDead     = errors.New("cluster: the grain has gone")
)

// request sends a message and waits for its answer: until ctx ends, or for as
// long as wait.
func (c *Cluster) request(ctx context.Context, pid *actor.PID, message any, wait time.Duration) (any, error) {
	a := answer{make(chan any, 1)}
	registry := c.system.ProcessRegistry
	self, ok := registry.Add(a, "answer"+registry.NextID())
	if !ok {
		return nil, errNoPlace
	}
	defer registry.Remove(self)
	late := time.NewTimer(wait)
	defer late.Stop()
	c.system.Root.RequestWithCustomSender(pid, message, self)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-late.C:
		return nil, errNoAnswer
	case rep := <-a.got:
		if _, dead := rep.(*actor.DeadLetterResponse); dead {
			return nil, errDead
		}
		return rep, nil
	}
}
