package directory

import (
	"context"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/record"
)

// claimAll takes what an account is about to list and does not list yet. It
// looks at all names before it writes for the first, so that a refusal leaves
// nothing behind but in a race.
func (d *Directory) claimAll(ctx context.Context, r *row, next *record.Account) error {
	var fresh []name
	for _, n := range names(next) {
		if r.lists(n) {
			continue
		}
		if err := d.peek(ctx, r.id, n); err != nil {
			return err
		}
		fresh = append(fresh, n)
	}
	for _, n := range fresh {
		if err := d.claim(ctx, r, n); err != nil {
			return err
		}
	}
	return nil
}

// settle writes into the claims what a commit has decided: names gained are
// final, names lost rest. The account's row decides alone, so that a failure
// here is no failure of the change; the next reader of the claim settles it.
func (d *Directory) settle(ctx context.Context, id parley.AccountID, before, after *record.Account) {
	was, is := names(before), names(after)
	for _, n := range is {
		if !slices.Contains(was, n) {
			d.settled(n, d.finish(ctx, id, n))
		}
	}
	for _, n := range was {
		if !slices.Contains(is, n) {
			d.settled(n, d.release(ctx, id, n))
		}
	}
}

func (d *Directory) settled(n name, err error) {
	if err != nil {
		d.log.Warn("a claim stays unsettled for now", "address", n.isAddress(), "error", err)
	}
}

// finish marks a name that the account's row was seen to list.
func (d *Directory) finish(ctx context.Context, id parley.AccountID, n name) error {
	return retry(ctx, "directory.finish", func() error {
		c, err := d.readClaim(ctx, n)
		if err != nil || c.owner() != id || c.GetState() == record.ClaimState_CLAIM_STATE_FINAL {
			return err
		}
		return d.writeClaim(ctx, n, c, &record.Claim{Account: string(id), State: record.ClaimState_CLAIM_STATE_FINAL})
	})
}

// release lets a name rest unless the account has taken it back meanwhile. The
// claim is read before the row: a claim renewed in between is another value.
func (d *Directory) release(ctx context.Context, id parley.AccountID, n name) error {
	return retry(ctx, "directory.release", func() error {
		c, err := d.readClaim(ctx, n)
		if err != nil || c.owner() != id || c.GetState() == record.ClaimState_CLAIM_STATE_RESTING {
			return err
		}
		r, err := d.read(ctx, id)
		if err != nil || r.lists(n) {
			return err
		}
		return d.rest(ctx, n, c)
	})
}
