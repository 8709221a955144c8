package gateway

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley"
)

// Config is what a Gateway is made of.
type Config struct {
	Accounts  Accounts      // required
	Mailboxes Mailboxes     // required
	Rooms     Rooms         // required
	Secret    parley.Secret // required, 32 bytes at least

	Log     *slog.Logger          // nil discards
	Metrics prometheus.Registerer // nil registers nowhere
	Now     func() time.Time      // nil means time.Now
	NewID   func() string         // of requests; nil means random ones
	Version string                // shown by /v1/status

	Hosts   []string                                   // virtual hosts that are served; none means any
	Proxies []netip.Prefix                             // whose X-Forwarded-For is believed; none means nobody's
	Checks  map[string]func(ctx context.Context) error // what /v1/status asks, by name

	MaxBody   int64 // bytes of a JSON body; 0 means 4 MiB
	MaxUpload int64 // bytes of a blob; 0 means 100 MiB
	MaxHeld   int64 // bytes of all JSON bodies being read; 0 means 256 MiB

	Timeout         time.Duration // of a request; 0 means 30 s
	TransferTimeout time.Duration // of one that carries a blob or raw message; 0 means 1 h
	WriteTimeout    time.Duration // for a client to take what is written, each time; 0 means 20 s

	AddressEvery    time.Duration // one request of an address each; 0 means 200 µs
	AddressBurst    int           // 0 means 10000
	AccountEvery    time.Duration // one request of an account each; 0 means 2 ms
	AccountBurst    int           // 0 means 2000
	AccountInFlight int           // requests of an account that run at once; 0 means 32
	LimitedKeys     int           // addresses, and accounts, that are remembered; 0 means 65536
	MaxRunning      int           // requests under an Idempotency-Key that run at once; 0 means 16384
	MaxWaiting      int           // repeats that wait for one of them; 0 means 8

	EventsHeartbeat   time.Duration // between comment lines of a quiet stream; 0 means 25 s
	MaxStreams        int           // event streams; 0 means 10000
	MaxAccountStreams int           // event streams of one account; 0 means 16
}

func (c Config) validate() error {
	var errs []error
	require := func(ok bool, what string) {
		if !ok {
			errs = append(errs, errors.New("gateway: "+what))
		}
	}
	require(c.Accounts != nil, "Accounts is required")
	require(c.Mailboxes != nil, "Mailboxes is required")
	require(c.Rooms != nil, "Rooms is required")
	require(len(c.Secret) >= 32, "Secret has fewer than 32 bytes")
	return errors.Join(errs...)
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewID == nil {
		c.NewID = parley.NewRequest
	}
	c.MaxBody = cmp.Or(c.MaxBody, 4<<20)
	c.MaxUpload = cmp.Or(c.MaxUpload, 100<<20)
	c.MaxHeld = cmp.Or(c.MaxHeld, 256<<20)
	c.Timeout = cmp.Or(c.Timeout, 30*time.Second)
	c.TransferTimeout = cmp.Or(c.TransferTimeout, time.Hour)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, 20*time.Second)
	c.AddressEvery = cmp.Or(c.AddressEvery, 200*time.Microsecond)
	c.AddressBurst = cmp.Or(c.AddressBurst, 10000)
	c.AccountEvery = cmp.Or(c.AccountEvery, 2*time.Millisecond)
	c.AccountBurst = cmp.Or(c.AccountBurst, 2000)
	c.AccountInFlight = cmp.Or(c.AccountInFlight, 32)
	c.LimitedKeys = cmp.Or(c.LimitedKeys, 1<<16)
	c.MaxRunning = cmp.Or(c.MaxRunning, 1<<14)
	c.MaxWaiting = cmp.Or(c.MaxWaiting, 8)
	c.EventsHeartbeat = cmp.Or(c.EventsHeartbeat, 25*time.Second)
	c.MaxStreams = cmp.Or(c.MaxStreams, 10000)
	c.MaxAccountStreams = cmp.Or(c.MaxAccountStreams, 16)
	return c
}
