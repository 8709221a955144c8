package directory

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// Update changes an account. ifMatch, unless 0, must be the account's version.
// change may be called more than once, each time with the account as it is
// then; what it does to ID, CreatedAt, Closed and Version is ignored.
func (d *Directory) Update(
	ctx context.Context, id parley.AccountID, ifMatch uint64, change func(*parley.Account) error,
) (acc parley.Account, err error) {
	const op = "directory.update"
	err = retry(ctx, op, func() error {
		r, err := d.open(ctx, id)
		if err != nil {
			return err
		}
		if err := matches(op, r, ifMatch); err != nil {
			return err
		}
		acc, err = d.change(ctx, r, change)
		return err
	})
	return acc, parley.Wrap(parley.Unavailable, op, err)
}

func matches(op string, r *row, ifMatch uint64) error {
	if ifMatch != 0 && ifMatch != r.version {
		return fault(parley.Stale, op, "", "the account was changed since")
	}
	return nil
}

func (d *Directory) change(ctx context.Context, r *row, change func(*parley.Account) error) (parley.Account, error) {
	a := r.domain()
	if err := change(&a); err != nil {
		return parley.Account{}, err
	}
	a, err := checkAccount("directory.update", a)
	if err != nil {
		return parley.Account{}, err
	}
	next := toRecord(r.id, a, r.account.GetCreatedAt())
	if proto.Equal(next, r.account) {
		return r.domain(), nil
	}
	if err := d.claimAll(ctx, r, next); err != nil {
		return parley.Account{}, err
	}
	version, err := d.commit(ctx, r, put(accountCell, next))
	if err != nil {
		return parley.Account{}, err
	}
	d.settle(ctx, r.id, r.account, next)
	return (&row{id: r.id, account: next, version: version}).domain(), nil
}

// AddAddress gives an account one more address. What it has already stays.
func (d *Directory) AddAddress(ctx context.Context, id parley.AccountID, address string) (parley.Account, error) {
	return d.Update(ctx, id, 0, func(a *parley.Account) error {
		a.Addresses = append(a.Addresses, address) // a repetition is dropped by the check
		return nil
	})
}

// RemoveAddress takes an address away, which then rests.
func (d *Directory) RemoveAddress(ctx context.Context, id parley.AccountID, address string) (parley.Account, error) {
	gone, err := normalise(address)
	if err != nil {
		return parley.Account{}, err
	}
	return d.Update(ctx, id, 0, func(a *parley.Account) error {
		a.Addresses = slices.DeleteFunc(a.Addresses, func(have string) bool { return have == gone })
		return nil
	})
}

// Close ends an account for ever: its tokens and password are void at once and
// its addresses rest. Closing it again changes nothing.
func (d *Directory) Close(ctx context.Context, id parley.AccountID, ifMatch uint64) error {
	const op = "directory.close"
	err := retry(ctx, op, func() error {
		r, err := d.current(ctx, id)
		if err != nil {
			return err
		}
		if !r.closed() {
			if err := matches(op, r, ifMatch); err != nil {
				return err
			}
			return d.close(ctx, r)
		}
		d.sweep(ctx, r)
		return nil
	})
	return parley.Wrap(parley.Unavailable, op, err)
}

func (d *Directory) close(ctx context.Context, r *row) error {
	now := d.now().UnixMicro()
	next := proto.CloneOf(r.account)
	next.Addresses, next.ExternalId, next.ClosedAt = nil, "", now
	cells := []persistence.Cell{put(accountCell, next), put(passwordCell, &record.Password{SetAt: now})}
	void := []persistence.Dead{}
	for id, t := range r.tokens {
		if t.GetRevokedAt() == 0 {
			cells = append(cells, tombstone(id, now))
		}
		void = append(void, dead(tokenPrefix+string(id), r.counter+1))
	}
	for id, u := range r.uses {
		void = append(void, dead(usePrefix+string(id), u.version))
	}
	if _, err := d.commit(ctx, r, cells...); err != nil {
		return err
	}
	d.settle(ctx, r.id, r.account, next)
	d.erase(ctx, r.id, void...)
	return nil
}
