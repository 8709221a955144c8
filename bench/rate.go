package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// RateConfig says how long and by how many callers the disk is worked.
type RateConfig struct {
	Dir     string        // required: a folder on the disk that is measured
	Callers []int         // nil means 1, 16, 64 and 256
	Time    time.Duration // of each run; 0 means 2 s
}

func (c RateConfig) withDefaults() RateConfig {
	if c.Callers == nil {
		c.Callers = []int{1, 16, 64, 256}
	}
	if c.Time == 0 {
		c.Time = 2 * time.Second
	}
	return c
}

// Rates compares commands acknowledged in a second with the syncs that the disk
// can do in one, and with the same load when nothing is synced. The three are
// measured one right after the other, for each number of callers anew.
func Rates(ctx context.Context, cfg RateConfig) ([]Figure, error) {
	cfg = cfg.withDefaults()
	fs := &figures{group: "rates on disk"}
	for i, l := range loads() {
		if err := cfg.compare(ctx, l, filepath.Join(cfg.Dir, fmt.Sprint("rate", i)), fs); err != nil {
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return fs.all, nil
}

func (cfg RateConfig) compare(ctx context.Context, l load, dir string, fs *figures) error {
	synced, err := cfg.openSite(ctx, l, filepath.Join(dir, "synced"), false)
	if err != nil {
		return err
	}
	free, err := cfg.openSite(ctx, l, filepath.Join(dir, "free"), true)
	if err != nil {
		return errors.Join(err, synced.close())
	}
	for _, callers := range cfg.Callers {
		with, err1 := synced.pace(ctx, callers, cfg.Time)
		without, err2 := free.pace(ctx, callers, cfg.Time)
		_, syncs, err3 := syncLoop(ctx, filepath.Join(dir, "syncs"), cfg.Time/2)
		if err = errors.Join(err1, err2, err3); err != nil {
			break
		}
		name := fmt.Sprintf("%s, callers: %d", l.name, callers)
		fs.add(name, "for each sync that the disk can do", with.perSecond/syncs)
		fs.add(name, "for each sync that was done", with.perSync)
		fs.add(name, "share of the rate without syncs", with.perSecond/without.perSecond)
	}
	return errors.Join(err, synced.close(), free.close())
}

// site is a house on a real disk, and a load for it.
type site struct {
	*house
	s *session
}

func (cfg RateConfig) openSite(ctx context.Context, l load, dir string, noSync bool) (*site, error) {
	most := slices.Max(cfg.Callers)
	h, err := open(houseConfig{fs: onDisk(), dir: dir, people: l.people * most, noSync: noSync})
	if err != nil {
		return nil, err
	}
	s, err := l.prepare(ctx, h, most)
	if err == nil {
		err = s.rounds(ctx, most, 1)
	}
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	return &site{h, s}, nil
}

// pace is how fast a load went.
type pace struct{ perSecond, perSync float64 }

func (s *site) pace(ctx context.Context, callers int, d time.Duration) (pace, error) {
	before, start := s.fs.Syncs(), time.Now()
	steps, err := s.s.during(ctx, callers, d)
	took, syncs := time.Since(start), s.fs.Syncs()-before
	return pace{float64(steps) / took.Seconds(), float64(steps) / float64(max(1, syncs))}, err
}
