// Package demo plays a day of three people on a server of its own, to show what
// parley does and to check it.
//
// It promises to use the doors that anybody has, HTTP, LMTP and the
// administrator's commands, and nothing behind them; and that the server's folder
// goes when the demo ends. What is told and what is checked is the same play.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// Config says how to play.
type Config struct {
	Out     io.Writer    // required; the story, or the checks
	Check   bool         // print what was checked, and end after the play
	Log     *slog.Logger // nil discards
	Version string
}

// Run plays, and then leaves the server running until ctx ends.
func Run(ctx context.Context, cfg Config) (err error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	dir, err := os.MkdirTemp("", "parley-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	h := newHouse(filepath.Join(dir, "data"), cfg)
	if err := h.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	p := &play{house: h, story: &story{out: cfg.Out, checking: cfg.Check}, desk: filepath.Join(dir, "desk")}
	began := time.Now()
	if err := p.run(ctx); err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if cfg.Check {
		_, err := fmt.Fprintf(cfg.Out, "demo: %d checks passed in %.1f s\n", p.story.checked, time.Since(began).Seconds())
		return err
	}
	p.pointers()
	<-ctx.Done()
	return nil
}

// pointers says where to look while the server stays up.
func (p *play) pointers() {
	url := p.house.url()
	fmt.Fprintf(p.story.out, `
The server stays up until Ctrl-C; then its folder goes.

  HTTP       %s
  mail       %s (LMTP)
  data       %s

`, url, p.house.ready.LMTP, p.house.dir)
	for _, who := range p.everybody() {
		fmt.Fprintf(p.story.out, "  %-9s  %s\n", who.name, who.token)
	}
	fmt.Fprintf(p.story.out, `
Ana's conversations, one of them, and what happens as it happens:

  curl -H 'Authorization: Bearer %[1]s' %[2]s/threads
  curl -H 'Authorization: Bearer %[1]s' %[2]s/threads/%[3]s/messages
  curl -N -H 'Authorization: Bearer %[1]s' '%[2]s/events?since=0'

Say something in Bo's name:

  curl -H 'Authorization: Bearer %[4]s' -H "Idempotency-Key: $RANDOM$RANDOM" --json '{"text":"Hello from curl"}' %[2]s/threads/%[3]s/messages

All that can be asked: %[2]s/docs
`, p.ana.token, url, p.room, p.bo.token)
}
