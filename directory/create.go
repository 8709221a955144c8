package directory

import (
	"context"
	"io"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// Create makes an account. The same command again returns the same account as
// it is now, replayed. A password of "" sets none.
func (d *Directory) Create(
	ctx context.Context, cmd parley.Command, a parley.Account, password string,
) (acc parley.Account, replayed bool, err error) {
	const op = "directory.create"
	if err := d.inTime(op, cmd); err != nil {
		return parley.Account{}, false, err
	}
	a, err = checkAccount(op, a)
	if err == nil && password != "" {
		err = checkPassword(op, password)
	}
	if err != nil {
		return parley.Account{}, false, err
	}
	phc := ""
	err = retry(ctx, op, func() error {
		r, found, err := d.slot(ctx, cmd)
		if err != nil {
			return err
		}
		if found {
			d.settle(ctx, r.id, nil, r.account) // the first attempt may have ended before
			acc, replayed = r.domain(), true
			return nil
		}
		if phc == "" && password != "" {
			if phc, err = d.newPassword(ctx, password); err != nil {
				return err
			}
		}
		acc, err = d.found(ctx, r, cmd, a, phc)
		return err
	})
	return acc, replayed, parley.Wrap(parley.Unavailable, op, err)
}

// found commits the row of a new account.
func (d *Directory) found(ctx context.Context, r *row, cmd parley.Command, a parley.Account, phc string) (parley.Account, error) {
	next := toRecord(r.id, a, d.now().UnixMicro())
	if err := d.claimAll(ctx, r, next); err != nil {
		return parley.Account{}, err
	}
	cells := []persistence.Cell{put(accountCell, next)}
	if phc != "" {
		cells = append(cells, put(passwordCell, &record.Password{Phc: phc, SetAt: next.GetCreatedAt()}))
	}
	if !cmd.ID.IsZero() {
		cells = append(cells, d.keyCell(cmd, ""))
	}
	version, err := d.commit(ctx, r, cells...)
	if err != nil {
		return parley.Account{}, err
	}
	d.settle(ctx, r.id, nil, next)
	return (&row{id: r.id, account: next, version: version}).domain(), nil
}

// uses of one key, each a week after the last, that still get an account of their own.
const generations = 16

// slot finds the row that a command creates. found says that it did.
func (d *Directory) slot(ctx context.Context, cmd parley.Command) (r *row, found bool, err error) {
	if cmd.ID.IsZero() {
		id, err := d.randomAccount()
		return &row{id: id}, false, err
	}
	for n := range byte(generations) {
		r, err = d.readFor(ctx, d.accountOf(cmd.ID, n), cmd)
		if err != nil || !r.exists() {
			return r, false, err
		}
		key, err := d.remembered(r, cmd)
		if err != nil || key != nil {
			return r, key != nil, err
		}
	}
	return nil, false, fault(parley.KeyMismatch, "directory.create", "", "the key was used too often")
}

// accountOf derives the id that a command's account has. A key whose promise has
// ended may come again and then means another account: n counts these.
func (d *Directory) accountOf(cmd parley.CommandID, n byte) parley.AccountID {
	parts := []string{string(cmd[:])}
	if n > 0 {
		parts = append(parts, string([]byte{n}))
	}
	return parley.AccountID(parley.FormatID(parley.AccountPrefix, d.secret.Derive("account", parts...)))
}

func (d *Directory) randomAccount() (parley.AccountID, error) {
	var b [parley.IDBytes]byte
	if _, err := io.ReadFull(d.rand, b[:]); err != nil {
		return "", parley.Wrap(parley.Internal, "directory.random", err)
	}
	return parley.AccountID(parley.FormatID(parley.AccountPrefix, b)), nil
}
