package directory

import (
	"context"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// tombstone voids a token in the commit; the erase that follows is only for space.
func tombstone(id parley.TokenID, at int64) persistence.Cell {
	return put([]byte(tokenPrefix+string(id)), &record.Token{RevokedAt: at})
}

// DeleteToken revokes a token: at once here, within five seconds elsewhere.
func (d *Directory) DeleteToken(ctx context.Context, acc parley.AccountID, id parley.TokenID) error {
	const op = "directory.delete_token"
	err := retry(ctx, op, func() error {
		r, err := d.current(ctx, acc)
		if err != nil {
			return err
		}
		t := r.tokens[id]
		if t == nil || t.GetRevokedAt() != 0 {
			return parley.E(parley.NotFound, op, "no such token")
		}
		version, err := d.commit(ctx, r, tombstone(id, d.now().UnixMicro()))
		if err != nil {
			return err
		}
		void := []persistence.Dead{dead(tokenPrefix+string(id), version)}
		if u, used := r.uses[id]; used {
			void = append(void, dead(usePrefix+string(id), u.version))
		}
		d.erase(ctx, acc, void...)
		return nil
	})
	return parley.Wrap(parley.Unavailable, op, err)
}
