package directory

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley"
)

// held returns an account's row as it was within the last seconds, NotFound
// when there is none.
func (d *Directory) held(ctx context.Context, id parley.AccountID) (*row, error) {
	if !id.Valid() {
		return nil, notFound("directory.load")
	}
	r, _, ok, t := d.rows.get(id)
	if !ok {
		var err error
		if r, err = d.read(ctx, id); err != nil {
			return nil, err
		}
		d.rows.put(t, r, r.exists())
	}
	if !r.exists() {
		return nil, notFound("directory.load")
	}
	return r, nil
}

// current returns an account's row as it is, NotFound when there is none.
func (d *Directory) current(ctx context.Context, id parley.AccountID) (*row, error) {
	return d.currentFor(ctx, id, parley.Command{})
}

func (d *Directory) currentFor(ctx context.Context, id parley.AccountID, cmd parley.Command) (*row, error) {
	if !id.Valid() {
		return nil, notFound("directory.load")
	}
	r, err := d.readFor(ctx, id, cmd)
	if err == nil && !r.exists() {
		err = notFound("directory.load")
	}
	return r, err
}

// openFor is currentFor for a change: Gone when the account is closed.
func (d *Directory) openFor(ctx context.Context, id parley.AccountID, cmd parley.Command) (*row, error) {
	r, err := d.currentFor(ctx, id, cmd)
	if err == nil && r.closed() {
		err = parley.E(parley.Gone, "directory.load", "the account is closed")
	}
	return r, err
}

func (d *Directory) open(ctx context.Context, id parley.AccountID) (*row, error) {
	return d.openFor(ctx, id, parley.Command{})
}

// namesAtOnce bounds the reads that Names has under way.
const namesAtOnce = 8

// Names returns the accounts of a thread's participants; unknown ones are left out.
func (d *Directory) Names(ctx context.Context, ids []parley.AccountID) (map[parley.AccountID]parley.Account, error) {
	var mu sync.Mutex
	found := make(map[parley.AccountID]parley.Account, len(ids))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(namesAtOnce)
	for _, id := range ids {
		g.Go(func() error {
			r, err := d.held(ctx, id)
			if isCode(err, parley.NotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			found[id] = r.domain()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, parley.Wrap(parley.Unavailable, "directory.names", err)
	}
	return found, nil
}

func isCode(err error, code parley.Code) bool {
	var e *parley.Error
	return errors.As(err, &e) && e.Code == code
}
