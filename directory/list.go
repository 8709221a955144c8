package directory

import (
	"bytes"
	"context"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// List pages through the accounts that are not closed, in the order of their
// rows. A page's keys are account ids and stay valid whatever comes or goes.
func (d *Directory) List(ctx context.Context, p parley.Page) (parley.Listing[parley.Account], error) {
	const op = "directory.list"
	limit := p.Limit
	if limit <= 0 {
		limit = parley.DefaultPage
	}
	limit = min(limit, parley.MaxPage)
	var l parley.Listing[parley.Account]
	var err error
	switch {
	case p.After != "" && !parley.AccountID(p.After).Valid(), p.Before != "" && !parley.AccountID(p.Before).Valid():
		return l, fault(parley.BadCursor, op, "", "not a cursor of this list")
	case p.Before != "":
		l, err = d.before(ctx, parley.RowKey(p.Before), limit)
		l.Next = last(l.Items)
	case p.End:
		l, err = d.before(ctx, nil, limit)
	default:
		l, err = d.after(ctx, p.After, limit)
	}
	l.Total = -1
	return l, parley.Wrap(parley.Unavailable, op, err)
}

func first(as []parley.Account) string {
	if len(as) == 0 {
		return ""
	}
	return string(as[0].ID)
}

func last(as []parley.Account) string {
	if len(as) == 0 {
		return ""
	}
	return string(as[len(as)-1].ID)
}

func (d *Directory) after(ctx context.Context, after string, limit int) (l parley.Listing[parley.Account], err error) {
	var from []byte
	if after != "" {
		from = append(parley.RowKey(after), 0)
	}
	l.Items, err = d.collect(ctx, from, nil, limit+1)
	if len(l.Items) > limit {
		l.Items = l.Items[:limit]
		l.Next = last(l.Items)
	}
	if after != "" {
		l.Prev = first(l.Items)
	}
	return l, err
}

// before finds the last accounts in front of a row key; nil is the end. The
// store lists forwards only, but the first two bytes of its keys are spread
// evenly: it looks back over twice as many of them until there are enough.
func (d *Directory) before(ctx context.Context, to []byte, limit int) (l parley.Listing[parley.Account], err error) {
	end := 1 << 16
	if to != nil {
		end = int(to[0])<<8 | int(to[1])
	}
	for back := 1; ; back *= 2 {
		start := max(end-back, 0)
		l.Items, err = d.collect(ctx, []byte{byte(start >> 8), byte(start)}, to, 0)
		if err != nil || len(l.Items) > limit || start == 0 {
			break
		}
	}
	if len(l.Items) > limit {
		l.Items = slices.Clone(l.Items[len(l.Items)-limit:])
		l.Prev = first(l.Items)
	}
	return l, err
}

// rowsAtOnce bounds one scan of keys.
const rowsAtOnce = 256

// collect reads the open accounts of from <= row < to, at most limit unless it is 0.
func (d *Directory) collect(ctx context.Context, from, to []byte, limit int) (as []parley.Account, err error) {
	for {
		keys, err := d.store.Rows(ctx, persistence.Account, from, rowsAtOnce)
		if err != nil {
			return nil, stored("directory.list", err)
		}
		for _, key := range keys {
			if to != nil && bytes.Compare(key, to) >= 0 || limit > 0 && len(as) == limit {
				return as, nil
			}
			r, err := d.read(ctx, parley.AccountID(key[2:]))
			if err != nil {
				return nil, err
			}
			if r.exists() && !r.closed() {
				as = append(as, r.domain())
			}
		}
		if len(keys) < rowsAtOnce {
			return as, nil
		}
		from = append(keys[len(keys)-1], 0)
	}
}
