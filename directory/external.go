package directory

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// PutExternal makes the account with an external id be like a, creating it if
// there is none. In an update, nil addresses and nil metadata stay as they are.
// It is safe to repeat: the claim of the external id names the account, so
// that a second attempt finishes what a first one began.
func (d *Directory) PutExternal(ctx context.Context, external string, a parley.Account) (acc parley.Account, created bool, err error) {
	const op = "directory.put_external"
	a.ExternalID = external
	if external == "" {
		return parley.Account{}, false, fault(parley.BadRequest, op, "external_id", "an external id is not empty")
	}
	replace := replaceBy(a)
	a, err = checkAccount(op, a)
	if err != nil {
		return parley.Account{}, false, err
	}
	err = retry(ctx, op, func() error {
		r, named, err := d.byExternal(ctx, externalName(external))
		if err != nil {
			return err
		}
		if created = !r.exists(); !created {
			acc, err = d.change(ctx, r, replace)
			return err
		}
		acc, err = d.found(ctx, r, parley.Command{}, a, "")
		if err != nil && !named && isCode(err, parley.Conflict) {
			return d.overtaken(ctx, externalName(external), err)
		}
		return err
	})
	return acc, created, parley.Wrap(parley.Unavailable, op, err)
}

func replaceBy(a parley.Account) func(*parley.Account) error {
	return func(have *parley.Account) error {
		next := a
		if a.Addresses == nil {
			next.Addresses = have.Addresses
		}
		if a.Metadata == nil {
			next.Metadata = have.Metadata
		}
		*have = next
		return nil
	}
}

// overtaken turns a conflict into another attempt if somebody else has put the
// same external id meanwhile.
func (d *Directory) overtaken(ctx context.Context, n name, conflict error) error {
	_, named, err := d.byExternal(ctx, n)
	switch {
	case err != nil:
		return err
	case named:
		return persistence.ErrCheckFailed
	}
	return conflict
}

// byExternal finds the row of the account with an external id, or the row that
// it is going to have. named says that a claim led there.
func (d *Directory) byExternal(ctx context.Context, n name) (r *row, named bool, err error) {
	c, err := d.readClaim(ctx, n)
	if err != nil {
		return nil, false, err
	}
	if c.raw != nil {
		r, err := d.read(ctx, c.owner())
		begun := err == nil && !r.exists() && c.GetState() == record.ClaimState_CLAIM_STATE_CLAIMED
		if err != nil || begun || r.lists(n) {
			return r, true, err
		}
	}
	id, err := d.randomAccount()
	return &row{id: id}, false, err
}
