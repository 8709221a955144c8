package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/server"
	"github.com/parley-im/parley/cmd/parley/verb"
	"github.com/parley-im/parley/internal/datadir"
)

// serveCommand runs a server.
type serveCommand struct {
	Config string  `type:"path" placeholder:"FILE" help:"Configuration; parley check-config --example prints one."`
	Data   string  `placeholder:"DIR" help:"Folder that everything is kept in; made if it is not there."`
	HTTP   *string `name:"http" placeholder:"ADDR" help:"Address of the HTTP door; 127.0.0.1:8080 unless said, port 0 takes a free one."`
	LMTP   *string `name:"lmtp" placeholder:"ADDR" help:"Address of the door for mail; none unless said."`
	Admin  *string `name:"admin" placeholder:"ADDR" help:"Address of /metrics, /healthz and profiles; none unless said."`
}

func (c *serveCommand) run(ctx context.Context, p process) error {
	set, err := c.settings()
	if err != nil {
		return err
	}
	dir, other, err := claim(ctx, datadir.Config{Path: set.Data, Create: true, Holder: "serve"})
	if other != nil {
		_ = other.Close()
		return fmt.Errorf("a server runs in %s already; stop it first, or name another folder", set.Data)
	}
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // whoever reads the log may go away
	log := slog.New(handler(p.stderr, set.Log))
	s, err := server.Open(server.Config{Dir: dir, Settings: set, Log: log, Version: version()})
	if err != nil {
		return err
	}
	return s.Run(ctx, func(r server.Ready) error {
		log.Info("serving", "url", "http://"+r.HTTP, "lmtp", r.LMTP, "admin", r.Admin, "data", dir.Path())
		return json.NewEncoder(p.stdout).Encode(r)
	})
}

// settings are the defaults, the file, then the flags.
func (c *serveCommand) settings() (set config.Config, err error) {
	set = config.Default()
	if c.Config != "" {
		if set, err = config.Load(c.Config); err != nil {
			return set, err
		}
	}
	for _, flag := range []struct {
		given *string
		to    *string
	}{{c.HTTP, &set.HTTP.Listen}, {c.LMTP, &set.LMTP.Listen}, {c.Admin, &set.Admin.Listen}} {
		if flag.given != nil {
			*flag.to = *flag.given
		}
	}
	if c.Data != "" {
		set.Data = c.Data
	}
	if set.Data == "" {
		return set, &verb.UsageError{Text: "no data folder; say --data DIR"}
	}
	return set, set.Validate()
}

func handler(w io.Writer, set config.Log) slog.Handler {
	options := &slog.HandlerOptions{Level: set.Level}
	if set.Format == "json" {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}

// checkConfigCommand reads a configuration as serve does.
type checkConfigCommand struct {
	File    string `arg:"" optional:"" type:"path" help:"The file; without one, the defaults."`
	Example bool   `help:"Print a file with every setting, its default and what it is for."`
}

func (c *checkConfigCommand) run(_ context.Context, p process) error {
	if c.Example {
		_, err := io.WriteString(p.stdout, config.Example())
		return err
	}
	name, set := "the default configuration", config.Default()
	var err error
	if c.File != "" {
		name = c.File
		set, err = config.Load(c.File)
	}
	if err = errors.Join(err, set.Validate()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s is sound\n", name)
	return err
}
