package hbase

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"
)

// ErrClosed says that the store is closed.
var ErrClosed = errors.New("hbase: store is closed")

// Config says where the cluster is and how the store uses it.
type Config struct {
	Quorum  string        // required: the ZooKeeper addresses, host:port between commas
	Prefix  string        // of the names of the tables; empty means "parley_"
	Regions int           // into which Open splits a table that it makes; 0 means 16
	Timeout time.Duration // of one operation whose context allows more; 0 means 30 s
	Fsync   bool          // a commit waits for the disks, not only for the memory of the nodes that hold the log
	Log     *slog.Logger  // nil discards

	dial func(ctx context.Context, network, address string) (net.Conn, error) // nil is the network. Tests lose answers on it.
}

func (cfg Config) withDefaults() Config {
	if cfg.Prefix == "" {
		cfg.Prefix = "parley_"
	}
	if cfg.Regions == 0 {
		cfg.Regions = 16
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 30 * time.Second
	}
	if cfg.dial == nil {
		cfg.dial = new(net.Dialer).DialContext
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return cfg
}
