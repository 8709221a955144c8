package cluster

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	pcluster "github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/cluster/clusterproviders/test"
	"github.com/asynkron/protoactor-go/remote"
)

// Kind is a kind of grain.
type Kind struct {
	Name string
	New  func() actor.Actor
}

// Config says what lives in the cluster and how much of it at a time.
type Config struct {
	Kinds       []Kind        // required
	Log         *slog.Logger  // nil discards
	MaxInFlight int           // calls under way from this process; 0 means 16384
	MaxPerGrain int           // calls under way to one grain; 0 means 1024
	Attempt     time.Duration // one send waits so long for its answer; 0 means 5 s
}

func (c *Config) fill() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.MaxInFlight == 0 {
		c.MaxInFlight = 16384
	}
	if c.MaxPerGrain == 0 {
		c.MaxPerGrain = 1024
	}
	if c.Attempt == 0 {
		c.Attempt = 5 * time.Second
	}
}

// lookup is what Call needs of a placement: the library's own interface.
type lookup interface{ pcluster.IdentityLookup }

// Cluster reaches grains by kind and identity.
type Cluster struct {
	cfg       Config
	system    *actor.ActorSystem
	lookup    lookup
	all       func(yield func(kind string, pid *actor.PID)) // grains that live in this process
	admission *admission
}

// Local is the cluster of one member: no port is opened, nothing is discovered.
func Local(cfg Config) *Cluster {
	cfg.fill()
	system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet(cfg.Log) }))
	kinds := make([]*pcluster.Kind, 0, len(cfg.Kinds))
	for _, k := range cfg.Kinds {
		kinds = append(kinds, pcluster.NewKind(k.Name, actor.PropsFromProducer(func() actor.Actor { return k.New() })))
	}
	l := &localLookup{}
	// The provider and the remote are never started: StartMember would open a port.
	pc := pcluster.New(system, pcluster.Configure("parley", test.NewTestProvider(test.NewInMemAgent()), l,
		remote.Configure("127.0.0.1", 0), pcluster.WithKinds(kinds...)))
	pc.IdentityLookup = l
	l.Setup(pc, nil, false)
	return &Cluster{cfg: cfg, system: system, lookup: l, all: l.each, admission: newAdmission(cfg.MaxInFlight, cfg.MaxPerGrain)}
}

func (l *localLookup) each(yield func(kind string, pid *actor.PID)) {
	l.pids.Range(func(key, pid any) bool {
		kind, _, _ := strings.Cut(key.(string), "/")
		yield(kind, pid.(*actor.PID))
		return true
	})
}

// Owns reports whether this member is the place of an identity.
func (c *Cluster) Owns(kind, id string) bool { return true }

// Drain is the message that asks a grain to commit what it has and to be ready
// to go; it answers *Drained. Grains take it like any other message.
type Drain struct{}

// Drained answers Drain.
type Drained struct{}

// Drain asks the grains of one kind to finish, a few at a time, and waits for
// them until ctx ends.
func (c *Cluster) Drain(ctx context.Context, kind string) error {
	var pids []*actor.PID
	c.all(func(k string, pid *actor.PID) {
		if k == kind {
			pids = append(pids, pid)
		}
	})
	slots := make(chan struct{}, 64)
	var wg sync.WaitGroup
	for _, pid := range pids {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			c.drainOne(ctx, pid)
		})
	}
	wg.Wait()
	return ctx.Err()
}

func (c *Cluster) drainOne(ctx context.Context, pid *actor.PID) {
	wait := c.cfg.Attempt
	if d, ok := ctx.Deadline(); ok {
		wait = max(time.Millisecond, time.Until(d))
	}
	_, _ = c.request(ctx, pid, &Drain{}, wait)
}

// Stop ends every grain and the actor system.
func (c *Cluster) Stop() {
	c.lookup.Shutdown()
	c.system.Shutdown()
}

// quiet keeps the library's own log at warnings: it reports every failed call as
// an error, which is a flood where calls are retried.
func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(levelFilter{log.Handler()})
}

type levelFilter struct{ slog.Handler }

// Enabled implements slog.Handler.
func (levelFilter) Enabled(_ context.Context, l slog.Level) bool { return l > slog.LevelError }
