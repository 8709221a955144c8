package actors

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/cluster"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/service"
)

// Blobs is what the grains need of the blob store.
type Blobs interface {
	Put(ctx context.Context, r io.Reader) (blob.Ref, error)
	Open(ctx context.Context, d parley.Digest) (blob.Blob, error)
	Stat(ctx context.Context, d parley.Digest) (blob.Info, error)
	Renew(ctx context.Context, d parley.Digest) error
}

// Accounts is what the grains need of the directory.
type Accounts interface {
	Get(ctx context.Context, id parley.AccountID) (parley.Account, error)
	Resolve(ctx context.Context, address string) (parley.AccountID, error)
}

// Config of a node's grains.
type Config struct {
	Store    persistence.Store // required
	Blobs    Blobs             // required
	Accounts Accounts          // required
	Secret   parley.Secret     // required
	Now      func() time.Time  // nil is time.Now
	Rand     io.Reader         // of nonces; nil is crypto/rand
	Log      *slog.Logger      // nil discards
	Metrics  prometheus.Registerer
	Idle     time.Duration // an activation without calls ends after this; 0 means 60 s
	Quota    int64         // bytes of an account without its own; 0 means no limit
	Segment  int           // bytes of log that leave a row at a time, once it has twice as many; 0 means 4 MiB
}

// Node runs the grains of one process.
type Node struct {
	cfg     Config
	tune    tuning
	meter   *meter
	cluster *cluster.Cluster
	client  *Client
	out     service.Service[call, any] // to the grains

	deliveries service.Service[sending, parley.Seq] // of rooms, to copies
	moving     chan struct{}                        // places of imports and exports
	blobs      *blobReads
	ctx        context.Context // ends the activations
	cancel     context.CancelFunc
	beside     sync.WaitGroup // goroutines of activations
	randMu     sync.Mutex     // guards cfg.Rand
}

// New starts the cluster of one member. Nothing listens.
func New(cfg Config) (*Node, error) {
	if cfg.Store == nil || cfg.Blobs == nil || cfg.Accounts == nil || len(cfg.Secret) < 32 {
		return nil, errors.New("actors: Store, Blobs, Accounts and a Secret of 32 bytes are required")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	clock := cfg.Now
	cfg.Now = func() time.Time { return clock().Truncate(time.Microsecond).UTC() } // as times are stored
	if cfg.Rand == nil {
		cfg.Rand = crand.Reader
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Idle == 0 {
		cfg.Idle = 60 * time.Second
	}
	n := &Node{cfg: cfg, tune: defaultTuning(), meter: newMeter(cfg.Metrics)}
	if cfg.Segment > 0 {
		n.tune.segment = uint64(cfg.Segment)
	}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	n.client, n.out = &Client{n: n}, calls(n.meter, register{cfg.Metrics}, n.send)
	n.moving = make(chan struct{}, transfersAtOnce)
	n.deliveries, n.blobs = n.sends(), newBlobReads(n.meter, cfg.Blobs)
	n.cluster = cluster.Local(cluster.Config{Log: cfg.Log, Kinds: []cluster.Kind{
		{Name: KindMailbox, New: n.grain(kind{KindMailbox, startMailbox})},
		{Name: KindThread, New: n.grain(kind{KindThread, startThread})},
		{Name: KindReminder, New: func() actor.Actor { return &reminderGrain{node: n} }},
	}})
	return n, nil
}

func (n *Node) grain(k kind) func() actor.Actor {
	return func() actor.Actor { return &grain{node: n, kind: k} }
}

func startMailbox(n *Node, a *activation, id string) side {
	m := newMailboxMachine(id, &rowTexts{history: a.history, blobs: n.blobs}, a.recent.get)
	m.state.Touch(n.tune.touch)
	a.m = m
	return newMailboxSide(a, newLeaving(a, m, n.client), newJobs(a, m.state), newTransfers(a, m, n.client))
}

func startThread(n *Node, a *activation, id string) side {
	m := newThreadMachine(id, n.blobs)
	a.m = m
	return &threadSide{a: a, f: newFanout(a, m, n.deliveries), o: newFounding(a, m, n.client)}
}

// rowConfig is what an activation of this node works with; the grain adds its queue.
func (n *Node) rowConfig(kind, id string) rowConfig {
	table, row := persistence.Table(kind), parley.RowKey(id)
	return rowConfig{store: n.cfg.Store, history: newLogReader(n.cfg.Store, table, row), table: table, id: id, row: row, now: n.cfg.Now,
		newNonce: n.nonce, log: n.cfg.Log, tune: n.tune, meter: n.meter}
}

func (n *Node) nonce() uint64 {
	n.randMu.Lock()
	defer n.randMu.Unlock()
	var b [8]byte
	if _, err := io.ReadFull(n.cfg.Rand, b[:]); err != nil {
		panic("actors: no random numbers: " + err.Error())
	}
	return binary.BigEndian.Uint64(b[:])
}

// Client speaks to the grains in the domain's nouns.
func (n *Node) Client() *Client { return n.client }

// Drain lets the grains commit and flush what they have: threads first, since they
// deliver to mailboxes. It returns when all have, or when ctx ends; the log holds
// everything either way.
func (n *Node) Drain(ctx context.Context) error {
	if err := n.cluster.Drain(ctx, KindThread); err != nil {
		return err
	}
	return n.cluster.Drain(ctx, KindMailbox)
}

// Close ends every activation and waits for what runs beside them.
func (n *Node) Close() {
	n.cluster.Stop()
	n.cancel()
	n.beside.Wait()
}
