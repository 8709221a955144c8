package blob

import (
	"context"
	"errors"

	"github.com/parley-im/parley"
)

// request waits for the committer: a small blob, the renewal of any, or
// something to do between two commits.
type request struct {
	kind    kind // of the needle
	digest  parley.Digest
	payload []byte // of a put
	damaged bool   // renew the blob even if it is known to be damaged
	between func(*committer) error
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
		p, ok, sound := s.index.find(r.digest)
		sound = sound || ok && r.damaged
		switch {
		case planned[r.digest]:
		case sound && s.fresh(p):
			answers[r] = nil
		case sound:
			planned[r.digest] = true
			plan = append(plan, &request{kind: kindRenew, digest: r.digest})
		case r.kind == kindRenew:
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
