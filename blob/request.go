package blob

import (
	"context"
	"errors"

	"github.com/parley-im/parley"
)

// request waits for the committer: a small blob, or the renewal of any.
type request struct {
	digest  parley.Digest
	payload []byte
	renew   bool       // no payload: the blob is here already
	done    chan error // takes one answer
}

var errVanished = errors.New("blob: gone while its date was renewed")

// submit hands a request to the committer and waits for its answer.
func (s *Volumes) submit(ctx context.Context, r *request) error {
	r.done = make(chan error, 1)
	select {
	case s.queue <- r:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stop:
		return ErrClosed
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.finished:
	}
	select { // answered just before the end?
	case err := <-r.done:
		return err
	default:
		return ErrClosed
	}
}

// plan decides what each request needs: a put, a renewal, or nothing (answers
// has those). Requests for one digest share one needle.
func (s *Volumes) plan(batch []*request) (plan []*request, answers map[*request]error) {
	answers = map[*request]error{}
	planned := map[parley.Digest]bool{}
	for _, r := range batch {
		p, _, sound := s.index.find(r.digest)
		switch {
		case planned[r.digest]:
		case sound && s.fresh(p):
			answers[r] = nil
		case sound:
			planned[r.digest] = true
			plan = append(plan, &request{digest: r.digest, renew: true})
		case r.renew:
			answers[r] = parley.Wrap(parley.Unavailable, "blob.put", errVanished)
		default:
			planned[r.digest] = true
			plan = append(plan, r)
		}
	}
	return plan, answers
}

func (s *Volumes) fresh(p place) bool {
	return s.cfg.Now().Unix()-int64(p.date) < int64(freshFor.Seconds())
}
