package hbase

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-im/parley/internal/testenv"
	"github.com/parley-im/parley/persistence"
)

// weather is what becomes of connections to the servers.
type weather struct {
	refuse atomic.Bool   // new connections fail
	cut    atomic.Bool   // the next answer is lost, and its connection with it
	onHeld func()        // answers are held from now on; called when one is
	hold   atomic.Bool   // whether they are
	over   chan struct{} // closed when the test is over
}

func (w *weather) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if w.refuse.Load() {
		return nil, errors.New("weather: no connection")
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	return &line{conn, w}, err
}

type line struct {
	net.Conn
	weather *weather
}

func (l *line) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	if l.weather.cut.CompareAndSwap(true, false) {
		l.Close()
		return 0, io.ErrUnexpectedEOF
	}
	if l.weather.hold.Load() {
		l.weather.onHeld()
		<-l.weather.over
	}
	return n, err
}

// exposed is a store in the weather, with a row whose fence is held.
type exposed struct {
	*Store
	*weather
	t     *testing.T
	row   []byte
	fence persistence.Cell
}

func newExposed(t *testing.T) *exposed {
	t.Helper()
	w := &weather{over: make(chan struct{})}
	s := open(t, Config{Quorum: testenv.HBase(t), Prefix: "shared_", Regions: 3, dial: w.dial})
	t.Cleanup(func() { close(w.over); s.Close() })
	return &exposed{Store: s, weather: w, t: t, row: []byte("weather " + rand.Text()),
		fence: persistence.Cell{Family: persistence.Log, Qualifier: []byte("fence")}}
}

// claim commits a new value of the fence over an old one.
func (e *exposed) claim(ctx context.Context, version uint64, old, value string) error {
	check := persistence.Check{Family: e.fence.Family, Qualifier: e.fence.Qualifier}
	if old != "" {
		check.Want = []byte(old)
	}
	cell := e.fence
	cell.Version, cell.Value = version, []byte(value)
	return e.Commit(ctx, persistence.Mailbox, e.row, check, []persistence.Cell{cell})
}

func (e *exposed) wantHeld(want string) {
	e.t.Helper()
	got, err := e.Read(e.t.Context(), persistence.Mailbox, e.row, persistence.Exactly(e.fence.Family, e.fence.Qualifier))
	if err != nil || len(got[0]) != 1 || string(got[0][0].Value) != want {
		e.t.Errorf("fence: got %v, %v, want %q", got, err, want)
	}
}

// The client sends again what it had no answer to, and the check then fails on the
// first copy's own value. That is no failed check: the commit landed.
func TestLostAnswerIsAmbiguous(t *testing.T) {
	e := newExposed(t)
	if err := e.claim(t.Context(), 1, "", "one"); err != nil {
		t.Fatal(err)
	}
	e.cut.Store(true)
	err := e.claim(t.Context(), 2, "one", "two")
	if !persistence.Ambiguous(err) || errors.Is(err, persistence.ErrCheckFailed) {
		t.Errorf("got %v, want an unknown outcome", err)
	}
	e.wantHeld("two")
}

// A put without a condition is the same however often it lands.
func TestLostAnswerOfPutIsRepeated(t *testing.T) {
	e := newExposed(t)
	e.wantNothing()
	cell := e.fence
	cell.Version, cell.Value = 1, []byte("one")
	e.cut.Store(true)
	if err := e.Put(t.Context(), persistence.Mailbox, e.row, []persistence.Cell{cell}); err != nil {
		t.Errorf("got %v, want success of the second copy", err)
	}
	e.wantHeld("one")
}

// wantNothing reads the row, which also connects.
func (e *exposed) wantNothing() {
	e.t.Helper()
	got, err := e.Read(e.t.Context(), persistence.Mailbox, e.row, persistence.Exactly(e.fence.Family, e.fence.Qualifier))
	if err != nil || len(got[0]) != 0 {
		e.t.Errorf("fence: got %v, %v, want nothing", got, err)
	}
}

func TestEndedWaitIsAmbiguous(t *testing.T) {
	e := newExposed(t)
	e.wantNothing()
	ctx, cancel := context.WithCancel(t.Context())
	e.onHeld = cancel
	e.hold.Store(true)
	if err := e.claim(ctx, 1, "", "one"); !persistence.Ambiguous(err) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want an unknown outcome for the context's reason", err)
	}
}

// What no server was reached with is refused clearly, when its time is over.
func TestNoConnectionIsARefusal(t *testing.T) {
	e := newExposed(t)
	e.refuse.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := e.claim(ctx, 1, "", "one"); err == nil || persistence.Ambiguous(err) {
		t.Errorf("got %v, want a clear refusal", err)
	}
}

// Without a deadline of its own an operation ends with the store's.
func TestTimeout(t *testing.T) {
	w := &weather{}
	s := open(t, Config{Quorum: testenv.HBase(t), Prefix: "shared_", Regions: 3, dial: w.dial})
	defer s.Close()
	w.refuse.Store(true)
	s.cfg.Timeout = 100 * time.Millisecond
	if _, err := s.Rows(t.Context(), persistence.Mailbox, nil, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}
