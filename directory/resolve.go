package directory

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/record"
)

// Resolve finds the account that has an address: NoRecipient when none has.
func (d *Directory) Resolve(ctx context.Context, address string) (parley.AccountID, error) {
	r, err := d.resolve(ctx, address)
	if err != nil {
		return "", parley.Wrap(parley.Unavailable, "directory.resolve", err)
	}
	return r.id, nil
}

func noRecipient() error {
	return parley.E(parley.NoRecipient, "directory.resolve", "no such mailbox here")
}

func (d *Directory) resolve(ctx context.Context, address string) (*row, error) {
	normalised, err := normalise(address)
	if err != nil {
		return nil, noRecipient()
	}
	n := addressName(normalised)
	owner, err := d.owner(ctx, n)
	if err != nil {
		return nil, err
	}
	r, err := d.held(ctx, owner)
	if err == nil && !r.lists(n) {
		// What is held may be older than the claim, and a wrong no bounces mail.
		r, err = d.current(ctx, owner)
	}
	switch {
	case isCode(err, parley.NotFound):
		return nil, noRecipient()
	case err != nil:
		return nil, err
	case !r.lists(n):
		return nil, noRecipient()
	}
	return r, nil
}

// owner is whom the claim of a name names, as of the last seconds. The row of
// that account says whether it is true.
func (d *Directory) owner(ctx context.Context, n name) (parley.AccountID, error) {
	id, _, held, t := d.owners.get(n)
	if !held {
		c, err := d.readClaim(ctx, n)
		if err != nil {
			return "", err
		}
		id = c.owner()
		known := c.raw != nil
		if c.GetState() == record.ClaimState_CLAIM_STATE_CLAIMED {
			d.confirm(ctx, n, id)
			known = false // about to change: hold it briefly
		}
		d.owners.put(t, id, known)
	}
	if id == "" {
		return "", noRecipient()
	}
	return id, nil
}

// confirm marks a claim final whose account lists the name though nobody lived
// to say so: what received mail once must rest when it is freed.
func (d *Directory) confirm(ctx context.Context, n name, id parley.AccountID) {
	r, err := d.read(ctx, id)
	if err == nil && r.lists(n) {
		d.settled(n, d.finish(ctx, id, n))
	}
}
