// Package system opens what lives in a data folder, the store, the blobs, the
// accounts and the grains, and closes it in an order that loses nothing.
//
// It promises that whoever has a System may use all of it, whether a server holds
// the folder or a command that runs for a moment. It opens no door: listening is
// left to package server.
package system

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/directory"
	"github.com/parley-im/parley/internal/datadir"
	"github.com/parley-im/parley/persistence/embedded"
)

// Config says what to open.
type Config struct {
	Dir      *datadir.Dir          // required; Close closes it
	Settings config.Config         // required; valid
	Metrics  prometheus.Registerer // nil registers nowhere; one that gathers, too, is System.Gather
	Log      *slog.Logger          // nil discards
	Now      func() time.Time      // nil is time.Now
	Tend     bool                  // sweep and compact the blobs as the settings say
}

// System is everything but doors. Its parts are safe for concurrent use.
type System struct {
	Dir      *datadir.Dir
	Store    *embedded.Store
	Blobs    *blob.Volumes
	Accounts *directory.Directory
	Node     *actors.Node
	Mail     *actors.Client
	Log      *slog.Logger
	Now      func() time.Time
	Gather   prometheus.Gatherer // what was counted since the start; nil where nobody asked for it

	working *errgroup.Group // what runs beside calls
	stop    context.CancelFunc
}

// Open opens the parts from the bottom up. Work beside calls, such as reminders,
// begins at once and ends with Close.
func Open(cfg Config) (*System, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &System{Dir: cfg.Dir, Log: cfg.Log, Now: cfg.Now}
	s.Gather, _ = cfg.Metrics.(prometheus.Gatherer)
	if err := s.open(cfg); err != nil {
		return nil, errors.Join(err, s.close())
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.working, ctx = errgroup.WithContext(ctx)
	s.working.Go(func() error { return s.Accounts.Run(ctx) })
	s.working.Go(func() error { return s.Node.Run(ctx) })
	if cfg.Tend && cfg.Settings.Blobs.Sweep > 0 {
		t := s.tender(cfg)
		s.working.Go(func() error { return t.run(ctx) })
	}
	return s, nil
}

// storeTime bounds the first look into the store.
const storeTime = 30 * time.Second

func (s *System) open(cfg Config) (err error) {
	set := cfg.Settings
	if err := checkWhole(s.Dir); err != nil {
		return err
	}
	s.ballast(int64(set.Store.Reserve), cfg.Tend)
	s.Store, err = embedded.Open(embedded.Config{
		Dir: s.Dir.Store(), CacheBytes: int64(set.Store.Cache), Reserve: uint64(set.Store.Reserve), Metrics: cfg.Metrics, Log: s.Log,
	})
	if err != nil {
		return fmt.Errorf("open the store in %s (if its files are damaged, put the folder back from a backup): %w", s.Dir.Store(), err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	if err := checkSecret(ctx, s.Store, s.Dir.Secret()); err != nil {
		return err
	}
	s.Blobs, err = blob.Open(blob.Config{
		Dir: s.Dir.Blobs(), MaxBytes: int64(max(set.HTTP.MaxUpload, set.LMTP.MaxMessage)), Reserve: uint64(set.Store.Reserve),
		Now: s.Now, Log: s.Log,
	})
	if err != nil {
		return fmt.Errorf("open the blobs: %w", err)
	}
	if err := markWhole(s.Dir); err != nil {
		return err
	}
	if cfg.Metrics != nil {
		if err := countBlobs(cfg.Metrics, s.Blobs); err != nil {
			return err
		}
	}
	s.Accounts, err = directory.New(directory.Config{
		Store: s.Store, Secret: s.Dir.Secret(), Now: s.Now, Log: s.Log, Quota: int64(set.Mailbox.Quota),
	})
	if err != nil {
		return fmt.Errorf("open the accounts: %w", err)
	}
	s.Node, err = actors.New(actors.Config{
		Store: s.Store, Blobs: s.Blobs, Accounts: s.Accounts, Secret: s.Dir.Secret(), Now: s.Now, Log: s.Log,
		Metrics: cfg.Metrics, Idle: time.Duration(set.Mailbox.Idle), Quota: int64(set.Mailbox.Quota),
		Segment: int(set.Mailbox.Segment),
	})
	if err != nil {
		return fmt.Errorf("start the mailboxes: %w", err)
	}
	s.Mail = s.Node.Client()
	return nil
}

// ballast gives back what was kept for a start on a full disk, or keeps it for one. A
// folder without is no reason not to start.
func (s *System) ballast(bytes int64, create bool) {
	released, err := s.Dir.Ballast(bytes, create)
	if err != nil {
		s.Log.Warn("ballast in the data folder", "error", err)
	}
	if released {
		s.Log.Error("the disk is full: reads are served and writes refused; the ballast was given back to start at all", "bytes", bytes)
	}
}

// Close ends the grains, which commit and flush what they have until ctx ends,
// and then the stores below them. Whoever calls has closed the doors.
func (s *System) Close(ctx context.Context) error {
	drained := s.Node.Drain(ctx)
	if drained != nil {
		s.Log.Warn("grains had no time to flush; their logs have everything", "error", drained)
	}
	s.stop()
	return errors.Join(s.working.Wait(), s.close())
}

// close closes what is open.
func (s *System) close() error {
	var errs []error
	if s.Node != nil {
		s.Node.Close()
	}
	if s.Blobs != nil {
		errs = append(errs, s.Blobs.Close())
	}
	if s.Store != nil {
		errs = append(errs, s.Store.Close())
	}
	return errors.Join(append(errs, s.Dir.Close())...)
}
