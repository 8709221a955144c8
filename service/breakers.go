package service

import (
	"context"
	"sync"
)

// BreakersConfig says how many peers are watched.
type BreakersConfig struct {
	Each BreakerConfig // of every peer
	Most int           // breakers held at once; 0 means 1024
}

// Breakers is a Breaker for each of very many peers of which few fail at a time,
// such as rows or grains, so that one that fails is left alone and the others are
// not. A peer without a failure lately has none and costs nothing. Where more than
// Most peers fail, any of them is forgotten: that costs requests and no answers.
type Breakers struct {
	cfg BreakersConfig

	mu   sync.Mutex
	open map[string]*Breaker // under mu: of peers that failed
}

// NewBreakers makes a set in which no peer has failed.
func NewBreakers(cfg BreakersConfig) *Breakers {
	if cfg.Most <= 0 {
		cfg.Most = 1024
	}
	if cfg.Each.Failed == nil {
		cfg.Each.Failed = peerFailed
	}
	return &Breakers{cfg: cfg, open: map[string]*Breaker{}}
}

// Watched is the number of peers that failed and have not come back.
func (b *Breakers) Watched() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.open)
}

func (b *Breakers) of(peer string) *Breaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open[peer]
}

// failed makes the breaker of a peer at its first failure.
func (b *Breakers) failed(peer string) *Breaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	if got := b.open[peer]; got != nil {
		return got
	}
	for forget := range b.open {
		if len(b.open) < b.cfg.Most {
			break
		}
		delete(b.open, forget)
	}
	made := NewBreaker(b.cfg.Each)
	b.open[peer] = made
	return made
}

// well forgets the breaker of a peer when it has seen no failure for a Window.
func (b *Breakers) well(peer string, was *Breaker) {
	if !was.clean() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[peer] == was {
		delete(b.open, peer)
	}
}

// GuardEach lets a request through while the breaker of its peer is closed.
func GuardEach[Req, Rep any](b *Breakers, peer func(Req) string) SimpleFilter[Req, Rep] {
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (Rep, error) {
		id := peer(request)
		if watched := b.of(id); watched != nil {
			reply, err := Guard[Req, Rep](watched)(ctx, request, next)
			if err == nil {
				b.well(id, watched)
			}
			return reply, err
		}
		reply, err := next(ctx, request)
		if err != nil && b.cfg.Each.Failed(err) {
			b.failed(id).record(ctx, 0, err)
		}
		return reply, err
	}
}
