package actors

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
	"github.com/parley-im/parley/persistence/faulty"
)

// byHand is a room's activation whose queue and whose work beside it run when the
// test says so.
type byHand struct {
	*activation
	m      *threadMachine
	queue  []func()
	beside []func()
	writes []string // commits, puts and erases in the order in which they were asked for
	reads  int
	store  persistence.Store
	inner  persistence.Store
}

func newByHand(t *testing.T) *byHand {
	t.Helper()
	inner, err := embedded.Open(embedded.Config{Dir: "store", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() })
	return byHandOn(t, inner, 0)
}

// byHandOn is one more activation over a store; its nonces begin at nonce.
func byHandOn(t *testing.T, inner persistence.Store, nonce uint64) *byHand {
	t.Helper()
	h := &byHand{m: newThreadMachine("thr_test", nil), inner: inner}
	h.m.deliveries = func(parley.AccountID) []thread.Delivery { return nil }
	h.store = faulty.New(inner, func(op faulty.Op) faulty.Outcome {
		if op.Kind.IsWrite() {
			h.writes = append(h.writes, op.Kind.String())
		} else {
			h.reads++
		}
		return faulty.Pass
	})
	h.activation = &activation{m: h.m, ctx: t.Context(), rowConfig: rowConfig{
		store: h.store, history: newLogReader(h.store, persistence.Thread, parley.RowKey("thr_test")), table: persistence.Thread, id: "thr_test", row: parley.RowKey("thr_test"), now: time.Now,
		newNonce: func() uint64 { nonce++; return nonce }, log: slog.New(slog.DiscardHandler), tune: defaultTuning(), meter: newMeter(nil),
		post:  func(f func()) { h.queue = append(h.queue, f) },
		spawn: func(f func()) { h.beside = append(h.beside, f) },
		later: func(time.Duration, func()) {},
	}}
	h.load(nil)
	h.run()
	return h
}

// loop empties the queue; run also does everything beside it.
func (h *byHand) loop() {
	for len(h.queue) > 0 {
		f := h.queue[0]
		h.queue = h.queue[1:]
		f()
	}
}

func (h *byHand) run() {
	for h.loop(); len(h.beside) > 0; h.loop() {
		f := h.beside[0]
		h.beside = h.beside[1:]
		f()
	}
}

func (h *byHand) ask(t *testing.T, cmd any) (answered func() bool) {
	done := false
	h.handle(input{cmd: cmd, reply: func(_ any, err error) {
		if err != nil {
			t.Errorf("%T: %v", cmd, err)
		}
		done = true
	}})
	return func() bool { return done }
}

// settled says that every copy has come as far as the room.
func (h *byHand) settled() {
	for _, acc := range h.m.state.Receivers() {
		h.m.state.Came(thread.Came{Account: acc, Last: h.m.state.Last()})
	}
}

func (h *byHand) standing(t *testing.T) int {
	t.Helper()
	got, err := h.store.Read(t.Context(), persistence.Reminder, reminderRow(bucketOf("thread", "thr_test")), persistence.Range{Family: persistence.Remind, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return len(got[0])
}

func seat(acc string) parley.Participant {
	return parley.Participant{ID: parley.PartID("par_" + acc), Account: parley.AccountID(acc), Name: acc, State: parley.StateIn}
}

func (h *byHand) create(t *testing.T) {
	t.Helper()
	done := h.ask(t, thread.Create{Maker: seat("ana"), Others: []parley.Participant{seat("bo")}})
	h.run()
	if !done() {
		t.Fatal("the room is not answered")
	}
}

// A post that comes while the reminder is being erased must not be committed
// before another one stands: after a loss of power nobody would bring it on.
func TestReminderStandsBeforeACommitDuringItsErase(t *testing.T) {
	h := newByHand(t)
	h.create(t)
	h.settled()
	h.writes = nil
	h.disarm(func(bool) {})
	done := h.ask(t, thread.Post{Author: "ana", Message: "msg_1", Text: "hello"})
	if h.loop(); done() {
		t.Fatal("answered with the erase under way")
	}
	if h.idle() {
		t.Error("idle with a change of the reminder under way")
	}
	h.run()
	if want := []string{"erase", "put", "commit"}; !slices.Equal(h.writes, want) || !done() {
		t.Errorf("got %v, answered %v; want %v", h.writes, done(), want)
	}
	if n := h.standing(t); n != 1 {
		t.Errorf("%d reminders stand, want 1", n)
	}
}

// Whatever reminders of earlier activations call at once, one stands for what they
// stood for, and none when nothing is left.
func TestForeignRemindersLeaveOne(t *testing.T) {
	for calls := 1; calls <= 3; calls++ {
		t.Run(fmt.Sprint(calls), func(t *testing.T) {
			h := newByHand(t)
			h.create(t)
			h.settled()
			h.disarm(func(bool) {})
			h.run()
			probes, answers := 0, 0
			for range calls {
				key := h.newReminder()
				if err := h.putReminder(key); err != nil {
					t.Fatal(err)
				}
				h.reminded(key, func() { probes++ }, func(err error) {
					if answers++; err != nil {
						t.Error(err)
					}
				})
			}
			h.run()
			if n := h.standing(t); n != 1 || probes != calls || answers != calls {
				t.Errorf("%d reminders stand after %d calls, %d probes and %d answers; want 1", n, calls, probes, answers)
			}
			h.disarm(func(bool) {})
			h.run()
			if n := h.standing(t); n != 0 {
				t.Errorf("%d reminders stand with nothing left", n)
			}
		})
	}
}

// One's own reminder, come due, moves on with the work and goes without.
func TestOwnReminderMovesOn(t *testing.T) {
	h := newByHand(t)
	h.create(t)
	first := h.reminder.key
	h.reminded(first, nil, func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
	h.run()
	if n := h.standing(t); n != 1 || string(h.reminder.key) == string(first) {
		t.Errorf("%d reminders stand with work left, moved %v; want 1, moved", n, string(h.reminder.key) != string(first))
	}
	h.settled()
	h.reminded(h.reminder.key, nil, func(error) {})
	done := h.ask(t, thread.Post{Author: "ana", Message: "msg_1", Text: "hello"})
	h.run()
	if n := h.standing(t); n != 1 || !done() {
		t.Errorf("%d reminders stand, answered %v; want 1", n, done())
	}
}

// A reminder is erased only by who owns the row: the activation that put it may
// commit for as long as nobody has claimed the row, and counts on it.
func TestForeignReminderIsErasedByTheOwner(t *testing.T) {
	one := newByHand(t)
	one.create(t)
	key := one.reminder.key
	two := byHandOn(t, one.inner, 1000)
	posted := one.ask(t, thread.Post{Author: "ana", Message: "msg_1", Text: "hello"})
	if one.run(); !posted() {
		t.Fatal("the post is not answered")
	}
	// The second has loaded the row before the post, of which it knows nothing.
	var heard error
	two.reminded(key, func() {}, func(err error) { heard = err })
	two.run()
	if n := one.standing(t); n != 1 || parley.CodeOf(heard) != parley.Unavailable {
		t.Errorf("%d reminders stand and the call heard %v; want 1 and Unavailable", n, heard)
	}
	three := byHandOn(t, one.inner, 2000)
	three.reminded(key, func() {}, func(err error) { heard = err })
	three.run()
	if n := one.standing(t); n != 1 || heard != nil || string(three.reminder.key) == string(key) {
		t.Errorf("%d reminders stand and the call of one that knows all heard %v; want its own", n, heard)
	}
	again := one.call(thread.Post{Author: "ana", Message: "msg_2", Text: "again"})
	one.run()
	if _, err := again(); parley.CodeOf(err) != parley.Unavailable {
		t.Errorf("a post without a reminder: %v; want Unavailable", err)
	}
}
