package directory

import (
	"context"
	"sync"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// queued bounds the uses that wait to be written. When it is full, the token's
// next request tries again.
const queued = 256

// uses remembers which tokens were used in this hour and need not be written again.
type uses struct {
	queue chan used

	mu   sync.Mutex
	done lru[parley.TokenID, struct{}] // under mu
}

type used struct {
	account parley.AccountID
	token   parley.TokenID
	hour    time.Time
}

func newUses(size int) *uses {
	return &uses{queue: make(chan used, queued), done: newLRU[parley.TokenID, struct{}](size)}
}

// used notes that a token was used, at most once an hour, never waiting.
func (d *Directory) used(r *row, id parley.TokenID) {
	hour := d.now().Truncate(time.Hour)
	if r.uses[id].at >= hour.UnixMicro() {
		return
	}
	d.uses.mu.Lock()
	defer d.uses.mu.Unlock()
	if _, done := d.uses.done.get(id, hour); done {
		return
	}
	select {
	case d.uses.queue <- used{account: r.id, token: id, hour: hour}:
		d.uses.done.remove(id)
		d.uses.done.add(id, struct{}{}, hour.Add(time.Hour))
	default:
	}
}

// A write has this long; so has all that Run still writes when it is told to stop.
const useDeadline = 2 * time.Second

// writeUses writes what used noted until ctx ends, then what is left.
func (d *Directory) writeUses(ctx context.Context) error {
	for {
		select {
		case u := <-d.uses.queue:
			one, cancel := context.WithTimeout(context.WithoutCancel(ctx), useDeadline)
			d.writeUse(one, u)
			cancel()
		case <-ctx.Done():
			d.drainUses(context.WithoutCancel(ctx))
			return nil
		}
	}
}

func (d *Directory) drainUses(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, useDeadline)
	defer cancel()
	for ctx.Err() == nil {
		select {
		case u := <-d.uses.queue:
			d.writeUse(ctx, u)
		default:
			return
		}
	}
}

// writeUse needs no check: the hour is the cell's version, so the latest wins
// in whatever order several members write.
func (d *Directory) writeUse(ctx context.Context, u used) {
	cell := put([]byte(usePrefix+string(u.token)), &record.TokenUse{UsedAt: u.hour.UnixMicro()})
	cell.Version = uint64(u.hour.Unix() / 3600)
	err := d.store.Put(ctx, persistence.Account, parley.RowKey(string(u.account)), []persistence.Cell{cell})
	if err != nil {
		d.log.Warn("the use of a token was not noted", "account", u.account, "error", err)
	}
}
