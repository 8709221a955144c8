package cluster

import (
	"context"
	"errors"
	"time"

	pcluster "github.com/asynkron/protoactor-go/cluster"
	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
)

// Call sends one request to a grain and waits for its answer or the end of ctx.
// It is the only way to reach a grain. One send per attempt; an attempt that
// found no live grain is repeated with a growing pause until ctx ends. An
// attempt that timed out may have happened, and is repeated too: commands carry
// ids. Errors carry codes: Unavailable when too much is under way or there
// was no answer.
func (c *Cluster) Call(ctx context.Context, kind, id string, req proto.Message) (proto.Message, error) {
	release, err := c.admission.enter(kind + "/" + id)
	if err != nil {
		return nil, err
	}
	defer release()
	ci := &pcluster.ClusterIdentity{Identity: id, Kind: kind}
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 300*time.Millisecond) {
		rep, err := c.attempt(ctx, ci, req)
		if err == nil {
			return rep, nil
		}
		select {
		case <-ctx.Done():
			return nil, &parley.Error{Code: parley.Unavailable, Op: "cluster.call", Public: "no answer in time", Err: errors.Join(ctx.Err(), err)}
		case <-time.After(pause):
		}
	}
}

var (
	errNoPlace  = errors.New("cluster: no member has this grain")
	errNotReply = errors.New("cluster: a grain answered with something else than a message")
)

func (c *Cluster) attempt(ctx context.Context, ci *pcluster.ClusterIdentity, req proto.Message) (proto.Message, error) {
	pid := c.lookup.Get(ci)
	if pid == nil {
		return nil, errNoPlace
	}
	rep, err := c.request(ctx, pid, req, c.wait(ctx))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errDead): // one that is only slow keeps its place
		c.lookup.RemovePid(ci, pid)
		return nil, err
	case err != nil:
		return nil, err
	}
	if m, ok := rep.(proto.Message); ok {
		return m, nil
	}
	return nil, errNotReply
}

// wait is one attempt's share of the time that is left; a call that may wait for
// long by its nature (a stream) says so by its own deadline.
func (c *Cluster) wait(ctx context.Context) time.Duration {
	d := c.cfg.Attempt
	if long, ok := ctx.Value(patience{}).(time.Duration); ok {
		d = long
	}
	if end, ok := ctx.Deadline(); ok {
		d = min(d, time.Until(end))
	}
	return max(d, time.Millisecond)
}

type patience struct{}

// Patient lets one attempt of a call wait for d: for reads that park in the grain.
func Patient(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patience{}, d)
}
