package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-im/parley"
)

// CompactConfig says what is worth rewriting and how fast.
type CompactConfig struct {
	// DeadShare is the part of a volume that no blob needs from which on it is
	// rewritten; 0 means 0.3. A negative one rewrites whatever has anything dead.
	DeadShare float64
	// Pace is called before every piece of reading and writing with its bytes, and
	// may wait; nil never waits.
	Pace func(ctx context.Context, bytes int64) error
	// Progress, if not nil, is called with the bytes of volumes done and to do.
	Progress func(done, total int64)
}

// Compacted says what a compaction did.
type Compacted struct {
	Volumes   int   // rewritten and removed
	Copied    int64 // bytes of needles, as they are in their new place
	Freed     int64 // bytes of the folder: what was removed less what was copied
	DeadBytes int64 // that no blob needed, before
	Kept      int   // volumes that have to stay, since something in them is damaged
	Busy      int   // volumes that somebody was appending to
	NoSpace   int   // volumes whose blobs there was no room to copy
	Damages   []Damage
}

const (
	defaultDeadShare = 0.3
	leastDead        = 4 << 10
	compactReserve   = 16 << 20 // left free beside the copies of one volume
)

// ErrTending says that another sweep or compaction is at work.
var ErrTending = errors.New("blob: a sweep or a compaction is at work already")

// Compact rewrites, one after the other, the volumes of which much is dead: it
// copies what counts behind other volumes, syncs, points the index to the copies,
// and removes the volume. Whoever has a blob of it open reads on; its space comes
// back when the last is closed. Puts and reads go on meanwhile. Nothing damaged is
// dropped: a volume with damage in something that counts stays as it is, its sound
// blobs are copied all the same, and the report says so. It may be interrupted at
// any moment; the next one goes on.
func (s *Volumes) Compact(ctx context.Context, cfg CompactConfig) (Compacted, error) {
	if !s.tending.TryLock() {
		return Compacted{}, ErrTending
	}
	defer s.tending.Unlock()
	cfg = cfg.withDefaults()
	// The volume of the small blobs is as old as the store, if that is small.
	if err := s.submit(ctx, &request{between: func(c *committer) error { c.leave(); return nil }}); err != nil {
		return Compacted{}, parley.Wrap(parley.Unavailable, "blob.compact", err)
	}
	var done Compacted
	all := s.worthwhile(cfg.DeadShare, &done)
	defer func() {
		s.count.freed.Add(max(0, done.Freed))
		for _, v := range all {
			s.giveBack(v)
		}
	}()
	var at, total int64
	for _, v := range all {
		total += v.end.Load()
	}
	for len(all) > 0 {
		v := all[0]
		if err := s.rewrite(ctx, v, cfg, &done); err != nil {
			return done, fmt.Errorf("compact volume %d: %w", v.number, err)
		}
		s.giveBack(v)
		all, at = all[1:], at+v.end.Load()
		cfg.Progress(at, total)
	}
	return done, nil
}

func (c CompactConfig) withDefaults() CompactConfig {
	if c.DeadShare == 0 {
		c.DeadShare = defaultDeadShare
	}
	if c.Pace == nil {
		c.Pace = func(context.Context, int64) error { return nil }
	}
	if c.Progress == nil {
		c.Progress = func(int64, int64) {}
	}
	return c
}

// worthwhile leases the volumes of which enough is dead, those first that need
// the least room.
func (s *Volumes) worthwhile(share float64, done *Compacted) []*volume {
	live := s.index.live()
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*volume
	for _, v := range s.all {
		used := v.end.Load() - volumeHeaderBytes
		dead := used - live[v.number]
		done.DeadBytes += dead
		if !worth(dead, used, share) {
			continue
		}
		if v.leased {
			done.Busy++
			continue
		}
		s.free = slices.DeleteFunc(s.free, func(f *volume) bool { return f == v })
		v.leased = true
		v.hold()
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b *volume) int {
		return cmp.Or(cmp.Compare(live[a.number], live[b.number]), cmp.Compare(a.number, b.number))
	})
	return all
}

// worth says whether a volume that holds used bytes is to be rewritten for its
// dead ones.
func worth(dead, used int64, share float64) bool {
	if share < 0 {
		return dead > 0
	}
	return dead >= leastDead && float64(dead) >= share*float64(used)
}

// giveBack ends the lease of a volume that nothing was appended to, and which may
// be gone.
func (s *Volumes) giveBack(v *volume) {
	s.mu.Lock()
	if s.all[v.number] == v {
		v.leased = false
		if !v.sealed && v.end.Load() < s.cfg.VolumeBytes {
			s.free = append(s.free, v)
		}
	}
	s.mu.Unlock()
	if err := v.drop(); err != nil {
		s.log.Warn("blob volume not closed", "volume", v.number, "error", err)
	}
}

// retire removes a volume that nothing counts in any more. The checkpoint goes
// first: alone, it would tell of a volume that was lost.
func (s *Volumes) retire(v *volume) error {
	s.mu.Lock()
	delete(s.all, v.number)
	s.mu.Unlock()
	errs := []error{v.drop()}
	for _, suffix := range []string{checkpointSuffix, volumeSuffix} {
		errs = append(errs, s.fs.Remove(s.path(volumeName(v.number, suffix))), s.syncDir(s.dir))
	}
	if err := errors.Join(errs...); err != nil {
		return err // its graves stay, so that no delete goes before it
	}
	s.index.clear(v.number)
	return nil
}
