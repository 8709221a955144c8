package directory

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

var claimCell = []byte("claim")

// claim is one state of a name's row.
type claim struct {
	*record.Claim
	raw []byte // nil: absent
}

func (c claim) owner() parley.AccountID { return parley.AccountID(c.GetAccount()) }

func (d *Directory) readClaim(ctx context.Context, n name) (claim, error) {
	cells, err := d.store.Read(ctx, persistence.Directory, parley.RowKey(string(n)), persistence.Exactly(persistence.Dir, claimCell))
	if err != nil {
		return claim{}, stored("directory.claim", err)
	}
	c := claim{Claim: &record.Claim{}}
	if len(cells) == 0 || len(cells[0]) == 0 {
		return c, nil
	}
	c.raw = append([]byte{}, cells[0][0].Value...)
	if err := proto.Unmarshal(c.raw, c.Claim); err != nil {
		return claim{}, fmt.Errorf("read claim of %q: %w", n, err)
	}
	return c, nil
}

// writeClaim replaces the claim that was read. The cell is never erased, so
// versions only rise.
func (d *Directory) writeClaim(ctx context.Context, n name, old claim, next *record.Claim) error {
	next.Version, next.At = old.GetVersion()+1, d.now().UnixMicro()
	cell := put(claimCell, next)
	cell.Family, cell.Version = persistence.Dir, next.Version
	check := persistence.Check{Family: persistence.Dir, Qualifier: claimCell, Want: old.raw}
	err := d.store.Commit(ctx, persistence.Directory, parley.RowKey(string(n)), check, []persistence.Cell{cell})
	d.owners.drop(n)
	return stored("directory.claim", err)
}

// claim takes a name for the row r, which must have been read before. It
// writes even what r's account claimed already: so whoever judged that claim
// to have lapsed does not get to replace it.
func (d *Directory) claim(ctx context.Context, r *row, n name) error {
	return retry(ctx, "directory.claim", func() error {
		c, err := d.readClaim(ctx, n)
		if err != nil {
			return err
		}
		if err := d.takeable(ctx, n, c, r.id, true); err != nil {
			return err
		}
		next := &record.Claim{Account: string(r.id), State: record.ClaimState_CLAIM_STATE_CLAIMED}
		if c.owner() == r.id {
			next.Until = d.restOf(n, c)
		}
		return d.writeClaim(ctx, n, c, next)
	})
}

// peek reports a name that is taken before anything is written for it.
func (d *Directory) peek(ctx context.Context, id parley.AccountID, n name) error {
	c, err := d.readClaim(ctx, n)
	if err == nil {
		err = d.takeable(ctx, n, c, id, false)
	}
	return err
}

// takeable reports Conflict unless account id may replace the claim c. With
// fence, a claimant who is late can no longer commit when it returns.
func (d *Directory) takeable(ctx context.Context, n name, c claim, id parley.AccountID, fence bool) error {
	if c.raw == nil || c.owner() == id {
		return nil
	}
	other, err := d.read(ctx, c.owner())
	switch {
	case err != nil:
		return err
	case other.lists(n):
		return taken(n, "is taken")
	case d.lapsed(n, c):
	case c.GetState() == record.ClaimState_CLAIM_STATE_FINAL && n.isAddress():
		// Its owner let it go and could not say so: the rest begins now.
		return errors.Join(taken(n, "is resting"), d.rest(ctx, n, c))
	default:
		return taken(n, "is claimed or resting")
	}
	if !fence {
		return nil
	}
	_, err = d.commit(ctx, other)
	return err
}

// lapsed reports whether a name that its owner's row does not list is free.
func (d *Directory) lapsed(n name, c claim) bool {
	switch c.GetState() {
	case record.ClaimState_CLAIM_STATE_CLAIMED:
		now := d.now()
		return !now.Before(moment(c.GetAt()).Add(ClaimLife)) && !now.Before(moment(c.GetUntil()))
	case record.ClaimState_CLAIM_STATE_RESTING:
		return !d.now().Before(moment(c.GetUntil()))
	default:
		return !n.isAddress()
	}
}

func (d *Directory) rest(ctx context.Context, n name, c claim) error {
	return d.writeClaim(ctx, n, c, &record.Claim{
		Account: c.GetAccount(), State: record.ClaimState_CLAIM_STATE_RESTING, Until: d.restFrom(n),
	})
}

// restOf is the end of the rest that a claim's owner takes along when it claims
// a name again: should it never finish, the name rests on.
func (d *Directory) restOf(n name, c claim) int64 {
	if c.GetState() == record.ClaimState_CLAIM_STATE_FINAL {
		return d.restFrom(n)
	}
	return c.GetUntil()
}

// restFrom is the end of a rest that begins now.
func (d *Directory) restFrom(n name) int64 {
	if !n.isAddress() {
		return 0 // no mail comes to an external id
	}
	return d.now().Add(Rest).UnixMicro()
}

func taken(n name, what string) error {
	if n.isAddress() {
		return fault(parley.Conflict, "directory.claim", "addresses", "the address "+what)
	}
	return fault(parley.Conflict, "directory.claim", "external_id", "the external id "+what)
}
