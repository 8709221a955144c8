package blob

import (
	"context"
	"time"

	"github.com/parley-im/parley"
)

// doomed is a blob that nobody names. It goes only if its date is before a time.
type doomed struct {
	digest parley.Digest
	before time.Time
}

// deletesAtOnce is how many blobs end with one write and one sync.
const deletesAtOnce = 1024

// delete ends blobs durably, those excepted that were renewed in time, and says
// which it ended. Their bytes stay until their volumes are compacted.
func (s *Volumes) delete(ctx context.Context, all []doomed) ([]place, error) {
	ended := make(chan []place, 1)
	err := s.submit(ctx, &request{between: func(c *committer) error {
		some, err := c.delete(all)
		ended <- some
		return err
	}})
	if err != nil {
		return nil, parley.Wrap(parley.Unavailable, "blob.delete", err)
	}
	return <-ended, nil
}

// delete runs while no large blob gets its serial: what was put before has a lower
// one than the delete, what comes after a higher one.
func (c *committer) delete(all []doomed) (ended []place, err error) {
	c.s.writes.Lock()
	defer c.s.writes.Unlock()
	var plan []*request
	for _, one := range all {
		p, ok, _ := c.s.index.find(one.digest)
		if ok && int64(p.date) < one.before.Unix() {
			plan, ended = append(plan, &request{kind: kindDelete, digest: one.digest}), append(ended, p)
		}
	}
	if err := c.appendAgain(plan); err != nil {
		return nil, failure("blob.delete", err)
	}
	return ended, nil
}
