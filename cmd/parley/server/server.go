// Package server is a running server: the system of a data folder behind its
// doors, HTTP for programs, LMTP for mail, a socket for the administrator's
// commands and a listener for metrics.
//
// It promises that what its doors took is answered before the grains end, and
// that the grains end before the stores. What the doors say and do is left to
// their own packages.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/datadir"
)

// Config says what to serve.
type Config struct {
	Dir      *datadir.Dir     // required; Run closes it, and so does an Open that fails
	Settings config.Config    // required; valid
	Log      *slog.Logger     // nil discards
	Now      func() time.Time // nil is time.Now
	Version  string           // shown by /v1/status
}

// Server is open and listens, but answers nobody before Run.
type Server struct {
	cfg      Config
	sys      *system.System
	registry *prometheus.Registry
	draining atomic.Bool
	doors    []door
	http     net.Listener
	lmtp     net.Listener // nil without that door
	admin    net.Listener // nil without that door
}

// door is one way in.
type door struct {
	name string
	// serve answers until shut is called, and then returns nil.
	serve func() error
	// shut takes nothing new and waits for what is under way until ctx ends.
	shut func(ctx context.Context) error
}

// Open takes the addresses first, since that is what fails most, and opens the
// system.
func Open(cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Server{cfg: cfg, registry: prometheus.NewRegistry()}
	s.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if err := s.listen(); err != nil {
		return nil, errors.Join(err, s.closeListeners(), cfg.Dir.Close())
	}
	var err error
	s.sys, err = system.Open(system.Config{Dir: cfg.Dir, Settings: cfg.Settings, Metrics: s.registry, Log: cfg.Log, Now: cfg.Now, Tend: true})
	if err != nil {
		return nil, errors.Join(err, s.closeListeners())
	}
	if err := s.build(); err != nil {
		ctx, cancel := s.patience()
		defer cancel()
		return nil, errors.Join(err, s.closeListeners(), s.sys.Close(ctx))
	}
	return s, nil
}

// build makes the doors. The administrator's listener is not among them: it
// shows how the others end.
func (s *Server) build() error {
	for _, build := range []func() (door, error){s.httpDoor, s.lmtpDoor, s.controlDoor} {
		d, err := build()
		if err != nil {
			return err
		}
		if d.serve != nil {
			s.doors = append(s.doors, d)
		}
	}
	return nil
}

func (s *Server) patience() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Duration(s.cfg.Settings.Drain.Timeout))
}

// Run answers until ctx ends or a door fails, then closes everything in order.
// ready is called once, when all doors answer.
func (s *Server) Run(ctx context.Context, ready func(Ready) error) error {
	serving, ctx := errgroup.WithContext(ctx)
	for _, d := range s.doors {
		serving.Go(func() error {
			if err := d.serve(); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			return nil
		})
	}
	admin := s.serveAdmin()
	serving.Go(func() error { return ready(s.Ready()) })
	<-ctx.Done()
	s.draining.Store(true)
	s.cfg.Log.Info("draining")
	failed := s.drain(serving)
	failed = errors.Join(failed, admin())
	s.cfg.Log.Info("stopped")
	return failed
}

// drain closes the doors, then the grains, then the stores.
func (s *Server) drain(serving *errgroup.Group) error {
	ctx, cancel := s.patience()
	defer cancel()
	var shutting errgroup.Group
	for _, d := range s.doors {
		shutting.Go(func() error {
			if err := d.shut(ctx); err != nil {
				s.cfg.Log.Warn("door was shut before all was answered", "door", d.name, "error", err)
			}
			return nil
		})
	}
	_ = shutting.Wait()
	failed := serving.Wait()
	grains, cancelGrains := s.patience()
	defer cancelGrains()
	return errors.Join(failed, s.sys.Close(grains))
}
