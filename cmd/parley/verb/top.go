package verb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/parley-im/parley/cmd/parley/system"
)

// Top shows what a running server does.
type Top struct {
	Location
	Every time.Duration `default:"1s" help:"How long to count before showing the figures."`
	Once  bool          `help:"Print one table and end."`
	JSON  bool          `name:"json" help:"Print each as a line of JSON."`
}

// minEvery keeps looking from being the load that is seen.
const minEvery = 100 * time.Millisecond

// Name is "top".
func (*Top) Name() string { return "top" }

// Prepare checks how often.
func (v *Top) Prepare(io.Reader) ([]byte, error) {
	if v.Every < minEvery || v.Every > time.Hour {
		return nil, usagef("--every: %v is not between %v and %v", v.Every, minEvery, time.Hour)
	}
	return nil, nil
}

// Run shows figures until it is interrupted.
func (v *Top) Run(ctx context.Context, s *system.System, std IO) error {
	if s.Gather == nil {
		return errors.New("no server runs here; top shows what a running one does")
	}
	before, err := gather(s.Gather, s.Now())
	for err == nil {
		select {
		case <-ctx.Done():
			if v.Once {
				return ctx.Err()
			}
			return nil // there is no other way to end it
		case <-time.After(v.Every):
		}
		var now sample
		if now, err = gather(s.Gather, s.Now()); err != nil {
			break
		}
		err = v.show(std, now.since(before))
		if before = now; v.Once {
			break
		}
	}
	return err
}

// anew begins a terminal's screen anew (ECMA-48: CUP, ED).
const anew = "\x1b[H\x1b[2J"

// show prints to where programs read, or over the last table on a terminal.
func (v *Top) show(std IO, shown view) error {
	switch {
	case v.JSON:
		return json.NewEncoder(std.Out).Encode(shown)
	case v.Once || !std.Terminal:
		_, err := io.WriteString(std.Out, shown.table())
		return err
	}
	_, err := io.WriteString(std.Diag, anew+shown.table())
	return err
}

// sample is the value of each metric, summed over its labels, and of each of its
// labels alone, as name{label="value"}. A histogram has name_count and name_sum.
type sample struct {
	at     time.Time
	values map[string]float64
}

func gather(from prometheus.Gatherer, at time.Time) (sample, error) {
	families, err := from.Gather()
	if err != nil {
		return sample{}, fmt.Errorf("gather the figures: %w", err)
	}
	s := sample{at: at, values: map[string]float64{}}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			suffixes := []string{""}
			for _, l := range m.GetLabel() {
				suffixes = append(suffixes, fmt.Sprintf("{%s=%q}", l.GetName(), l.GetValue()))
			}
			for _, suffix := range suffixes {
				if h := m.GetHistogram(); h != nil {
					s.values[f.GetName()+"_count"+suffix] += float64(h.GetSampleCount())
					s.values[f.GetName()+"_sum"+suffix] += h.GetSampleSum()
					continue
				}
				s.values[f.GetName()+suffix] += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return s, nil
}
