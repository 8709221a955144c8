package cluster

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	pcluster "github.com/asynkron/protoactor-go/cluster"
)

// localLookup places every identity in this process: a cluster of one member,
// without a listener. It implements the library's IdentityLookup, as the lookup
// over several members will.
type localLookup struct {
	c       *pcluster.Cluster
	placer  *actor.PID
	pids    sync.Map // string -> *actor.PID: what the placement actor has spawned
	stopped atomic.Bool
}

// spawnTimeout bounds the placement actor's answer; it does nothing that blocks.
const spawnTimeout = 5 * time.Second

func placeKey(ci *pcluster.ClusterIdentity) string { return ci.Kind + "/" + ci.Identity }

// Get returns the place of an identity, spawning its grain on the first call. It
// is nil once the lookup is shut down.
func (l *localLookup) Get(ci *pcluster.ClusterIdentity) *actor.PID {
	if pid, ok := l.pids.Load(placeKey(ci)); ok {
		return pid.(*actor.PID)
	}
	if l.stopped.Load() {
		return nil
	}
	got, err := l.c.ActorSystem.Root.RequestFuture(l.placer, &place{ci}, spawnTimeout).Result()
	pid, _ := got.(*actor.PID)
	if err != nil {
		return nil
	}
	return pid
}

// RemovePid forgets a place that turned out to be dead.
func (l *localLookup) RemovePid(ci *pcluster.ClusterIdentity, pid *actor.PID) {
	l.pids.CompareAndDelete(placeKey(ci), pid)
}

// Setup starts the placement actor.
func (l *localLookup) Setup(c *pcluster.Cluster, _ []string, _ bool) {
	l.c = c
	l.placer = c.ActorSystem.Root.SpawnPrefix(actor.PropsFromProducer(func() actor.Actor {
		return &placement{lookup: l, keys: map[string]string{}}
	}), "parley-placement")
}

// Shutdown stops the placement actor and with it every grain.
func (l *localLookup) Shutdown() {
	l.stopped.Store(true)
	_ = l.c.ActorSystem.Root.StopFuture(l.placer).Wait()
}

// place asks the placement actor for an identity's grain.
type place struct{ ci *pcluster.ClusterIdentity }

// placement spawns grains as its children, so that it hears when they end.
type placement struct {
	lookup *localLookup
	keys   map[string]string // pid id -> place key
}

// Receive implements actor.Actor.
func (p *placement) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *place:
		ctx.Respond(p.spawn(ctx, m.ci))
	case *actor.Terminated:
		if key, ok := p.keys[m.Who.Id]; ok {
			delete(p.keys, m.Who.Id)
			if pid, ok := p.lookup.pids.Load(key); ok && pid.(*actor.PID).Id == m.Who.Id {
				p.lookup.pids.Delete(key)
			}
		}
	}
}

func (p *placement) spawn(ctx actor.Context, ci *pcluster.ClusterIdentity) *actor.PID {
	key := placeKey(ci)
	if pid, ok := p.lookup.pids.Load(key); ok {
		return pid.(*actor.PID)
	}
	for _, k := range p.lookup.c.Config.Kinds {
		if k.Kind == ci.Kind {
			pid := ctx.SpawnPrefix(pcluster.WithClusterIdentity(k.Props, ci), key)
			p.lookup.pids.Store(key, pid)
			p.keys[pid.Id] = key
			return pid
		}
	}
	return nil
}
