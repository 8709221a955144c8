package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/parley-im/parley/bench"
)

// options are the command line; the defaults take a few minutes on two processors.
type options struct {
	Only []string `help:"Run these alone: ${enum}." enum:"costs,reads,syncs,rates,latency,heap" placeholder:"NAME"`
	Dir  string   `help:"Where to make a folder to work in; it decides which disk is measured. The default is the system's for temporary files."`
	JSON string   `help:"Write the figures to this file, too."`

	Messages int           `help:"Messages over which costs are spread." default:"100"`
	Rooms    []int         `help:"Participants of the rooms that are compared." default:"3,50"`
	Mailbox  []int         `help:"Messages in the mailboxes that are read." default:"1000,20000"`
	Delay    time.Duration `help:"How long a sync takes where it is slowed down." default:"10ms"`
	Rounds   int           `help:"Commands of each of 64 callers while syncs are slow." default:"50"`
	Callers  []int         `help:"Callers at once, for the rates." default:"1,16,64,256"`
	Time     time.Duration `help:"How long each rate is taken." default:"2s"`
	Posts    int           `help:"Posts that are followed to others' eyes." default:"300"`
	Held     int           `help:"Mailboxes held in memory." default:"10000"`
	HeldSize int           `help:"Messages in each of them." default:"1000"`
}

// run measures in a folder of its own and removes it.
func (o *options) run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp(o.Dir, "parleybench-")
	if err != nil {
		return err
	}
	err = o.measure(ctx, out, dir)
	return errors.Join(err, os.RemoveAll(dir))
}

func (o *options) measure(ctx context.Context, out io.Writer, dir string) (err error) {
	r := bench.NewReport()
	if r.Limits, err = bench.MeasureLimits(ctx, dir, o.Time); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s %s, %d processors; a sync takes %.0f µs (%.0f in a second), a round trip %.0f µs\n",
		r.Go, r.System, r.CPUs, r.Limits.SyncMicros, r.Limits.SyncsPerSecond, r.Limits.RoundTripMicros)
	for _, s := range o.steps(dir) {
		if len(o.Only) > 0 && !slices.Contains(o.Only, s.name) {
			continue
		}
		fs, err := s.measure(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.Figures = append(r.Figures, fs...)
		if err := bench.WriteTable(out, fs); err != nil {
			return err
		}
	}
	for _, f := range r.Missed() {
		fmt.Fprintf(out, "\n%v", f)
	}
	return o.save(r)
}

type measurement struct {
	name    string
	measure func(context.Context) ([]bench.Figure, error)
}

func (o *options) steps(dir string) []measurement {
	return []measurement{
		{"costs", func(ctx context.Context) ([]bench.Figure, error) {
			return bench.Costs(ctx, bench.CostConfig{Messages: o.Messages, Rooms: o.Rooms})
		}},
		{"reads", func(ctx context.Context) ([]bench.Figure, error) {
			return bench.Reads(ctx, bench.ReadConfig{Messages: o.Mailbox})
		}},
		{"syncs", func(ctx context.Context) ([]bench.Figure, error) {
			return bench.Syncs(ctx, bench.SyncConfig{Delay: o.Delay, Rounds: o.Rounds})
		}},
		{"rates", func(ctx context.Context) ([]bench.Figure, error) {
			return bench.Rates(ctx, bench.RateConfig{Dir: dir, Callers: o.Callers, Time: o.Time})
		}},
		{"latency", func(ctx context.Context) ([]bench.Figure, error) {
			return bench.Latencies(ctx, bench.LatencyConfig{Dir: dir, Posts: o.Posts})
		}},
		{"heap", func(ctx context.Context) ([]bench.Figure, error) {
			return bench.Heap(ctx, bench.HeapConfig{Dir: dir, Held: o.Held, Messages: o.HeldSize})
		}},
	}
}

func (o *options) save(r *bench.Report) error {
	if o.JSON == "" {
		return nil
	}
	f, err := os.Create(o.JSON)
	if err != nil {
		return err
	}
	return errors.Join(r.WriteJSON(f), f.Close())
}
