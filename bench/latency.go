package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/parley-im/parley"
)

// LatencyConfig says where and how often a post is followed.
type LatencyConfig struct {
	Dir   string // required: a folder on the disk that is measured
	Posts int    // 0 means 300
	Large int    // participants of the large room; 0 means 50
}

func (c LatencyConfig) withDefaults() LatencyConfig {
	if c.Posts == 0 {
		c.Posts = 300
	}
	if c.Large == 0 {
		c.Large = 50
	}
	return c
}

// limitTime is how long the machine is looked at beside each room.
const limitTime = 300 * time.Millisecond

// seen is when one post was acknowledged and when it had come to every other
// copy, both from its start, in microseconds.
type seen struct{ answered, everywhere float64 }

// Latencies follows single posts from the author's call to the long polls of the
// other participants.
func Latencies(ctx context.Context, cfg LatencyConfig) ([]Figure, error) {
	cfg = cfg.withDefaults()
	fs := &figures{group: "a post until others see it"}
	for _, size := range []int{2, cfg.Large} {
		posts := max(20, 2*cfg.Posts/size)
		for _, noSync := range []bool{false, true} {
			name := fmt.Sprintf("room of %d", size)
			if noSync {
				name += ", nothing synced"
			}
			if err := cfg.follow(ctx, fs, name, size, posts, noSync); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return fs.all, nil
}

func (cfg LatencyConfig) follow(ctx context.Context, fs *figures, name string, size, posts int, noSync bool) error {
	disk := onDisk()
	h, err := open(houseConfig{fs: disk, dir: filepath.Join(cfg.Dir, "latency", name), people: size, noSync: noSync})
	if err != nil {
		return err
	}
	room, err := h.roomOfAll(ctx)
	if err != nil {
		return errors.Join(err, h.close())
	}
	others, err := h.followAll(ctx, 1, size)
	if err != nil {
		return errors.Join(err, h.close())
	}
	before, syncs := h.store.now(), disk.Syncs()
	all := make([]seen, 0, posts)
	for i := range posts {
		s, err := h.watch(ctx, room, others, i)
		if err != nil {
			return errors.Join(err, h.close())
		}
		all = append(all, s)
	}
	spent := h.store.now().since(before)
	limits, err := MeasureLimits(ctx, cfg.Dir, limitTime)
	if err != nil {
		return errors.Join(err, h.close())
	}
	limits.list(fs, name, all, noSync)
	fs.add(name, "commits", float64(spent.Commits)/float64(posts))
	fs.add(name, "bytes put", float64(spent.BytesPut)/float64(posts))
	if !noSync {
		fs.add(name, "syncs", float64(disk.Syncs()-syncs)/float64(posts))
	}
	return h.close()
}

// watch posts while the others' long polls wait.
func (h *house) watch(ctx context.Context, room parley.ThreadID, others []*follower, i int) (s seen, err error) {
	came := make(chan error, 1)
	go func() { came <- allNext(ctx, others, 1) }()
	start := time.Now()
	_, err = h.post(ctx, room, 0, fmt.Sprint("watched ", i), shortText)
	s.answered = micros(time.Since(start))
	err = errors.Join(err, <-came)
	s.everywhere = micros(time.Since(start))
	return s, err
}

// list gives the medians and the worst of a hundred, in syncs where there are
// any and in round trips else.
func (l Limits) list(fs *figures, name string, all []seen, noSync bool) {
	answered, everywhere, after := make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all))
	for i, s := range all {
		answered[i], everywhere[i], after[i] = s.answered, s.everywhere, max(0, s.everywhere-s.answered)
	}
	if !noSync {
		fs.add(name, "answered, in syncs", quantile(answered, 0.5)/l.SyncMicros)
		fs.add(name, "seen by all, in syncs", quantile(everywhere, 0.5)/l.SyncMicros)
		fs.add(name, "1 in 100, in syncs", quantile(everywhere, 0.99)/l.SyncMicros)
	}
	fs.add(name, "seen by all, in round trips", quantile(everywhere, 0.5)/l.RoundTripMicros)
	fs.add(name, "after the answer, in round trips", quantile(after, 0.5)/l.RoundTripMicros)
}
