package plays

import (
	"context"
	"errors"
	"net/http/httptest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/bench/torture"
	"github.com/parley-im/parley/directory"
	"github.com/parley-im/parley/gateway"
)

// house is the server of a play: everything behind the HTTP handler, on one file
// system that outlives it.
type house struct {
	fs    vfs.FS
	clock *torture.Clock
	life  *torture.Life
	door  *gateway.Gateway

	operations operations // of the document
}

// mailboxes and accounts are the fits that cmd/parley/server states.
type mailboxes struct{ *actors.Client }

func (m mailboxes) OpenBlob(ctx context.Context, acc parley.AccountID, id parley.BlobID) (gateway.BlobContent, error) {
	c, err := m.Client.OpenBlob(ctx, acc, id)
	return gateway.BlobContent{Attachment: c.Attachment, ReaderAt: c.ReaderAt, Closer: c.Closer}, err
}

type accounts struct {
	*directory.Directory
	mailboxes *actors.Client
}

func (a accounts) Close(ctx context.Context, id parley.AccountID, ifMatch uint64) error {
	if err := a.Directory.Close(ctx, id, ifMatch); err != nil {
		return err
	}
	return a.mailboxes.CloseMailbox(ctx, id)
}

// heartbeat is short: the reader of a quiet stream learns by it that there is no more.
const heartbeat = 20 * time.Millisecond

func (h *house) open() (err error) {
	if h.life, err = torture.Open(torture.LifeConfig{FS: h.fs, Secret: torture.Secret(), Now: h.clock.Now}); err != nil {
		return err
	}
	c := h.life.Node.Client()
	h.door, err = gateway.New(gateway.Config{
		Accounts: accounts{h.life.Directory, c}, Mailboxes: mailboxes{c}, Rooms: c, Secret: torture.Secret(), Now: h.clock.Now,
		EventsHeartbeat: heartbeat, AddressBurst: 1 << 30, AccountBurst: 1 << 30,
	})
	if err != nil {
		return err
	}
	w := httptest.NewRecorder()
	h.door.ServeHTTP(w, httptest.NewRequest("GET", "/v1/openapi.json", nil))
	h.operations, err = operationsOf(w.Body.Bytes())
	return err
}

// waiting lets the clock go on while nothing happens but what grains do by
// themselves: their back-offs are by its time.
func (h *house) waiting(do func()) {
	at := h.clock.Now()
	h.clock.Flow()
	do()
	h.clock.Stand(at)
}

// close ends the server: after a drain as on SIGTERM, or at once, so that the next
// one finds logs to replay.
func (h *house) close(ctx context.Context, drain bool) error {
	h.door.Drain()
	var err error
	if drain {
		h.waiting(func() { err = h.life.Settle(ctx) })
	}
	return errors.Join(err, h.life.Close())
}
