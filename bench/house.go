package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence/embedded"
)

// houseConfig says what is measured on.
type houseConfig struct {
	fs     *crashfs.FS // nil is a new one in memory
	dir    string      // folder of store and blobs on fs
	people int
	noSync bool             // neither store nor blobs sync
	idle   time.Duration    // of activations; 0 leaves it to actors
	cache  int64            // bytes that the store caches; 0 leaves it to the store
	now    func() time.Time // nil is time.Now
}

// house is a server without its edges: store, blobs and grains over one file
// system that counts.
type house struct {
	*actors.Client
	node   *actors.Node
	fs     *crashfs.FS
	store  *ledger
	inner  *embedded.Store
	blobs  *blob.Volumes
	people *people
	now    func() time.Time
	clock  *clock // nil where time is the machine's
}

// inMemory counts over a file system that costs nothing.
func inMemory() *crashfs.FS { return crashfs.Over(vfs.NewMem()) }

// onDisk counts over the real one.
func onDisk() *crashfs.FS { return crashfs.Over(vfs.Default) }

func open(cfg houseConfig) (*house, error) {
	if cfg.fs == nil {
		cfg.fs = inMemory()
	}
	if cfg.now == nil {
		cfg.now = time.Now
	}
	at := func(name string) string { return cfg.fs.PathJoin(cfg.dir, name) }
	store, err := embedded.Open(embedded.Config{Dir: at("store"), FS: cfg.fs, CacheBytes: cfg.cache, NoSync: cfg.noSync})
	if err != nil {
		return nil, fmt.Errorf("bench: open the store: %w", err)
	}
	blobs, err := blob.Open(blob.Config{Dir: at("blobs"), FS: cfg.fs, NoSync: cfg.noSync})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("bench: open the blobs: %w", err), store.Close())
	}
	h := &house{fs: cfg.fs, store: newLedger(store), inner: store, blobs: blobs, people: newPeople(cfg.people), now: cfg.now}
	h.node, err = actors.New(actors.Config{Store: h.store, Blobs: blobs, Accounts: h.people, Secret: secret, Now: cfg.now, Idle: cfg.idle})
	if err != nil {
		return nil, errors.Join(err, blobs.Close(), store.Close())
	}
	h.Client = h.node.Client()
	return h, nil
}

// cold lets every activation flush and end, so that the next call loads its row.
func (h *house) cold(ctx context.Context) error { return h.node.Drain(ctx) }

func (h *house) close() error {
	h.node.Close()
	return errors.Join(h.store.Close(), h.blobs.Close())
}

// counting opens a house in memory whose counts do not depend on how fast it runs.
func counting(people int) (*house, error) {
	c := new(clock)
	h, err := open(houseConfig{people: people, now: c.now})
	if err == nil {
		h.clock = c
	}
	return h, err
}

// command is a new command of somebody's.
func (h *house) command(who int, key string) parley.Command {
	return parley.Command{ID: secret.Command(personID(who), key), First: h.now()}
}

// room makes one of first and the others.
func (h *house) room(ctx context.Context, key string, first int, others ...int) (parley.ThreadID, error) {
	n := parley.NewRoom{Subject: key}
	for _, o := range others {
		n.To = append(n.To, parley.Recipient{Account: personID(o)})
	}
	t, _, _, err := h.CreateRoom(ctx, personID(first), h.command(first, key), n)
	return t.ID, err
}

// roomOfAll makes one room of everybody.
func (h *house) roomOfAll(ctx context.Context) (parley.ThreadID, error) {
	others := make([]int, len(h.people.byID)-1)
	for i := range others {
		others[i] = i + 1
	}
	return h.room(ctx, "room", 0, others...)
}

// post posts and fails unless the author's copy has it.
func (h *house) post(ctx context.Context, room parley.ThreadID, who int, key, text string) (parley.Posted, error) {
	p, err := h.Post(ctx, personID(who), h.command(who, key), room, parley.Post{Text: text})
	if err == nil && p.Revision == 0 {
		err = errors.New("bench: the author's copy did not come in time")
	}
	return p, err
}
