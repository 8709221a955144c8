package blob

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/parley-im/parley"
)

// SweepAge is how far apart two sweeps have to be that find no name for a blob,
// before the second ends it. Who names a blob has put or renewed it within 12 hours,
// so that nothing which is being named while a sweep looks is as old.
const SweepAge = 48 * time.Hour

// SweepConfig says what is named and how much may go.
type SweepConfig struct {
	// Names gives every digest that a row names, once or more; the blobs that it
	// does not give are on their way out. An error says that not all names
	// could be read, and ends the sweep with nothing changed. Required.
	Names iter.Seq2[parley.Digest, error]
	// MostShare is the part of all blobs, or of their bytes, beyond which a sweep
	// ends none unless Force is set; 0 means 0.2. A few blobs always go.
	MostShare float64
	Force     bool
}

const (
	defaultMostShare = 0.2
	fewBlobs         = 20 // that a sweep ends without asking
	mostMissing      = 1000
)

// Swept says what a sweep found and did.
type Swept struct {
	Blobs, Bytes          int64           // that were here before it
	Waiting, WaitingBytes int64           // unnamed, and not yet for long enough
	Ripe, RipeBytes       int64           // unnamed for long enough
	Ended, EndedBytes     int64           // of those; now free for compaction
	MissingCount          int64           // names without a blob
	Missing               []parley.Digest // the first 1,000
}

// ErrTooMany says that a sweep would end more than its share.
var ErrTooMany = errors.New("blob: the sweep would end more than its share of the blobs")

// Sweep ends the blobs that nobody has named since a sweep at least SweepAge ago
// and that were put and renewed before that one. Their bytes come back with Compact. What
// it found is noted durably when all names are known; an interrupted sweep counts
// for nothing. Puts, reads and new names go on meanwhile.
func (s *Volumes) Sweep(ctx context.Context, cfg SweepConfig) (Swept, error) {
	if !s.tending.TryLock() {
		return Swept{}, ErrTending
	}
	defer s.tending.Unlock()
	began := s.cfg.Now()
	old, err := s.loadCandidates(began)
	if err != nil {
		return Swept{}, err
	}
	var r Swept
	unnamed, err := s.unnamed(ctx, cfg.Names, &r)
	if err != nil {
		return r, fmt.Errorf("sweep: not all names are known: %w", err)
	}
	next, ripe := s.judge(unnamed, old, began.Unix(), &r)
	if err := s.saveCandidates(next); err != nil {
		return r, err
	}
	if !cfg.Force && r.tooMany(cfg.MostShare) {
		return r, fmt.Errorf("%w: %d of %d", ErrTooMany, r.Ripe, r.Blobs)
	}
	return r, s.endAll(ctx, ripe, &r)
}

// judge tells the blobs that have waited long enough from the others. A blob that
// was put or renewed since it began to wait begins anew.
func (s *Volumes) judge(unnamed map[parley.Digest]struct{}, old candidates, now int64, r *Swept) (next candidates, ripe []doomed) {
	next = candidates{at: now, since: map[parley.Digest]int64{}}
	for d := range unnamed {
		p, ok, _ := s.index.find(d)
		if !ok {
			continue
		}
		since, waits := old.since[d]
		if !waits || int64(p.date) >= since {
			since = now
		}
		next.since[d] = since
		if now-since < int64(SweepAge/time.Second) {
			r.Waiting, r.WaitingBytes = r.Waiting+1, r.WaitingBytes+int64(p.size)
			continue
		}
		ripe = append(ripe, doomed{d, time.Unix(since, 0)})
		r.Ripe, r.RipeBytes = r.Ripe+1, r.RipeBytes+int64(p.size)
	}
	return next, ripe
}

func (r *Swept) tooMany(most float64) bool {
	if most == 0 {
		most = defaultMostShare
	}
	return r.Ripe > fewBlobs && (float64(r.Ripe) > most*float64(r.Blobs) || float64(r.RipeBytes) > most*float64(r.Bytes))
}

// unnamed lists the blobs that are here at its begin and that no name is given of.
func (s *Volumes) unnamed(ctx context.Context, names iter.Seq2[parley.Digest, error], r *Swept) (map[parley.Digest]struct{}, error) {
	all := make(map[parley.Digest]struct{}, s.index.len())
	s.index.each(func(d parley.Digest, p place) {
		all[d] = struct{}{}
		r.Blobs, r.Bytes = r.Blobs+1, r.Bytes+int64(p.size)
	})
	missing := map[parley.Digest]struct{}{}
	for d, err := range names {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		delete(all, d)
		if _, ok, _ := s.index.find(d); !ok {
			missing[d] = struct{}{}
		}
	}
	for d := range missing {
		if r.MissingCount++; len(r.Missing) < mostMissing {
			r.Missing = append(r.Missing, d)
		}
	}
	return all, ctx.Err()
}

// endAll ends blobs in batches. Between the look at a blob and its end somebody may
// have renewed it: then it stays.
func (s *Volumes) endAll(ctx context.Context, all []doomed, r *Swept) error {
	for len(all) > 0 {
		n := min(len(all), deletesAtOnce)
		ended, err := s.delete(ctx, all[:n])
		if err != nil {
			return err
		}
		for _, p := range ended {
			r.Ended, r.EndedBytes = r.Ended+1, r.EndedBytes+int64(p.size)
		}
		all = all[n:]
	}
	s.count.ended.Add(r.Ended)
	return nil
}
