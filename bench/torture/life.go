package torture

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/directory"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
)

// LifeConfig says what a Life is made of.
type LifeConfig struct {
	FS     vfs.FS // required; store and blobs lie on it as on one disk
	Store  string // folder of the store; "" means store
	Blobs  string // folder of the blobs; "" means blobs
	Secret parley.Secret
	Now    func() time.Time // nil is time.Now
	Idle   time.Duration    // of activations; 0 leaves it to actors
	Log    *slog.Logger     // nil discards

	// OpenStore opens another store than an embedded one on FS, if set.
	OpenStore func() (persistence.Store, error)

	// WrapStore, WrapBlobs and WrapAccounts plant faults; nil plants none.
	WrapStore    func(persistence.Store) persistence.Store
	WrapBlobs    func(actors.Blobs) actors.Blobs
	WrapAccounts func(actors.Accounts) actors.Accounts
}

// Life is everything that a server holds, from its opening to its end: store,
// blobs, directory and grains, without the listeners.
type Life struct {
	Store     persistence.Store
	Directory *directory.Directory
	Node      *actors.Node
	blobs     *blob.Volumes
	inner     persistence.Store
}

// lifeCache is what the store caches: plays are small and lives are many.
const lifeCache = 1 << 20

func (c LifeConfig) withDefaults() LifeConfig {
	if c.Store == "" {
		c.Store = "store"
	}
	if c.Blobs == "" {
		c.Blobs = "blobs"
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Open begins a life on what an earlier one has left.
func Open(cfg LifeConfig) (*Life, error) {
	cfg = cfg.withDefaults()
	if cfg.OpenStore == nil {
		cfg.OpenStore = cfg.embedded
	}
	store, err := cfg.OpenStore()
	if err != nil {
		return nil, fmt.Errorf("torture: open the store: %w", err)
	}
	blobs, err := blob.Open(blob.Config{Dir: cfg.Blobs, FS: cfg.FS, Now: cfg.Now, Log: cfg.Log})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("torture: open the blobs: %w", err), store.Close())
	}
	l := &Life{Store: store, inner: store, blobs: blobs}
	if cfg.WrapStore != nil {
		l.Store = cfg.WrapStore(store)
	}
	if err := l.populate(cfg); err != nil {
		return nil, errors.Join(err, blobs.Close(), store.Close())
	}
	return l, nil
}

func (c LifeConfig) embedded() (persistence.Store, error) {
	return embedded.Open(embedded.Config{Dir: c.Store, FS: c.FS, CacheBytes: lifeCache, Reserve: 1 << 20, Log: c.Log})
}

func (l *Life) populate(cfg LifeConfig) (err error) {
	l.Directory, err = directory.New(directory.Config{Store: l.Store, Secret: cfg.Secret, Now: cfg.Now, Log: cfg.Log})
	if err != nil {
		return err
	}
	l.Node, err = l.Another(cfg)
	return err
}

// Another starts one more node over the same store: a second server that
// believes that it owns every row. Its owner closes it before the life ends.
func (l *Life) Another(cfg LifeConfig) (*actors.Node, error) {
	cfg = cfg.withDefaults()
	var blobs actors.Blobs = l.blobs
	if cfg.WrapBlobs != nil {
		blobs = cfg.WrapBlobs(blobs)
	}
	var accounts actors.Accounts = l.Directory
	if cfg.WrapAccounts != nil {
		accounts = cfg.WrapAccounts(accounts)
	}
	return actors.New(actors.Config{Store: l.Store, Blobs: blobs, Accounts: accounts, Secret: cfg.Secret,
		Now: cfg.Now, Idle: cfg.Idle, Log: cfg.Log, Segment: segment})
}

// Settle lets everything that is under way come to rest: reminders call whom an
// earlier life left with work, then the grains finish and let go of their rows.
func (l *Life) Settle(ctx context.Context) error {
	l.Node.Tick(ctx)
	if err := l.Node.Drain(ctx); err != nil {
		return fmt.Errorf("torture: drain: %w", err)
	}
	return nil
}

// Close ends the life. After a power loss its error says so.
func (l *Life) Close() error {
	l.Node.Close()
	return errors.Join(l.inner.Close(), l.blobs.Close())
}
