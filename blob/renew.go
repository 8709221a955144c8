package blob

import (
	"context"
	"errors"

	"github.com/parley-im/parley"
)

// Renew puts a blob's date forward, by a needle without payload. See Store.
func (s *Volumes) Renew(ctx context.Context, d parley.Digest) error {
	p, ok, _ := s.index.find(d)
	if !ok {
		return parley.E(parley.NotFound, "blob.renew", "no such blob")
	}
	if s.fresh(p) {
		return nil
	}
	err := s.submit(ctx, &request{kind: kindRenew, digest: d, damaged: true})
	if errors.Is(err, errVanished) {
		return parley.E(parley.NotFound, "blob.renew", "no such blob")
	}
	return parley.Wrap(parley.Unavailable, "blob.renew", err)
}
