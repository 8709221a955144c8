package actors

import (
	"context"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// renewAfter is when a named blob's date is renewed before a commit names it
// again: well within the 12 hours that a sweep allows.
const renewAfter = 6 * time.Hour

// renew puts a blob's date forward if a sweep could come near it.
func (c *Client) renew(ctx context.Context, d parley.Digest) error {
	info, err := c.n.blobs.Stat(ctx, d)
	if err != nil || c.n.cfg.Now().Sub(info.Date) < renewAfter {
		return err
	}
	return c.n.blobs.Renew(ctx, d)
}

// renewNamed renews what a copy is about to name. An event may come to a copy long
// after it was posted, and nothing says that the room still names the blob when a
// sweep reads it. A blob that is gone stops no delivery: who opens it is told.
func (c *Client) renewNamed(ctx context.Context, ds []thread.Delivery) error {
	for _, d := range ds {
		named := []parley.Digest{d.TextBlob}
		for _, at := range d.Attachments {
			named = append(named, at.Blob)
		}
		for _, one := range named {
			if one.IsZero() {
				continue
			}
			if err := c.renew(ctx, one); err != nil && parley.CodeOf(err) != parley.NotFound {
				return err
			}
		}
	}
	return nil
}
