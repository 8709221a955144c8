package directory

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

const (
	// ClaimLife is how long a claim holds a name for an account that is not yet written.
	ClaimLife = 10 * time.Minute
	// Rest is how long a freed address goes to nobody else, so that mail
	// for its old owner does not reach a new one.
	Rest = 180 * 24 * time.Hour
)

// Config says what a Directory is made of.
type Config struct {
	Store  persistence.Store // required
	Secret parley.Secret     // required; at least 32 bytes
	Now    func() time.Time  // nil means time.Now
	Log    *slog.Logger      // nil discards
	Rand   io.Reader         // nil means crypto/rand
	Quota  int64             // bytes of an account that has none of its own; 0 means 10 GiB
	Hashes int               // passwords hashed at the same time, 19 MiB each; 0 means 2
	Held   int               // accounts held in memory; 0 means 10,000
}

// Directory keeps accounts, their names and tokens. It is safe for concurrent use.
type Directory struct {
	store  persistence.Store
	secret parley.Secret
	now    func() time.Time
	log    *slog.Logger
	rand   io.Reader
	quota  int64
	hasher *hasher
	rows   *cache[parley.AccountID, *row]
	owners *cache[name, parley.AccountID]
	uses   *uses
}

// New makes a Directory. Run writes when tokens were used; without it nothing else is lost.
func New(c Config) (*Directory, error) {
	if c.Store == nil || len(c.Secret) < 32 {
		return nil, errors.New("directory: needs a store and a secret of at least 32 bytes")
	}
	c = c.withDefaults()
	return &Directory{
		store: c.Store, secret: c.Secret, now: c.Now, log: c.Log, rand: c.Rand, quota: c.Quota,
		hasher: newHasher(c.Hashes, recommended),
		rows:   newCache[parley.AccountID, *row](c.Held, c.Now),
		owners: newCache[name, parley.AccountID](2*c.Held, c.Now),
		uses:   newUses(c.Held),
	}, nil
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	if c.Quota <= 0 {
		c.Quota = 10 << 30
	}
	if c.Hashes <= 0 {
		c.Hashes = 2
	}
	if c.Held <= 0 {
		c.Held = 10_000
	}
	return c
}

// Run works beside the requests until ctx ends.
func (d *Directory) Run(ctx context.Context) error { return d.writeUses(ctx) }

// Get returns an account, also a closed one.
func (d *Directory) Get(ctx context.Context, id parley.AccountID) (parley.Account, error) {
	r, err := d.held(ctx, id)
	if err != nil {
		return parley.Account{}, parley.Wrap(parley.Unavailable, "directory.get", err)
	}
	return r.domain(), nil
}

// Quota returns how many bytes an account may hold.
func (d *Directory) Quota(ctx context.Context, id parley.AccountID) (int64, error) {
	r, err := d.held(ctx, id)
	if err != nil {
		return 0, parley.Wrap(parley.Unavailable, "directory.quota", err)
	}
	if r.account.GetQuota() > 0 {
		return r.account.GetQuota(), nil
	}
	return d.quota, nil
}
