package actors

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/persistence"
)

// activation is one life of a row's state machine: it loads, decides, commits
// and answers. It is not safe for concurrent use: every method runs in the
// grain's queue, and what runs beside comes back through post.
type activation struct {
	rowConfig
	m   machine
	ctx context.Context // ends with the activation; commits and effects run under it

	phase   phase
	cause   error   // why it is dead
	waiting []input // commands behind a load, a need or a fence check, in order
	onDead  func()
	onEnd   func(error) // as onDead, but of every end

	loaded     []byte      // the fence as it was loaded, nil when the row is new
	fence      codec.Fence // as last stored; zero value when the row is new
	fenceBytes []byte      // its stored form, nil when the row is new
	puts       uint32      // of this activation
	epoch      uint32
	nonce      uint64
	mark       codec.Mark
	checkedAt  time.Time // when the last successful put or fence check began
	begun      int       // proofs that the row is this activation's (loads, checks, puts), numbered as they begin
	proven     int       // the last of them that held
	confirming bool      // a check begins when the put in flight has landed

	pending *batch            // decided, waiting to be committed
	flying  *batch            // being committed
	recent  recent            // actions decided here, newest last
	fromLog map[uint64][]byte // older ones, read for the command being decided

	sinceFlush int
	lastFlush  time.Time // zero before the first of this activation
	committed  uint64    // last action known to be durable
	onCommit   []func()  // called in the loop after each successful commit
	onLoad     []func()  // called in the loop once loaded
	readOnly   error     // set when the log could not be replayed

	archive  archiver
	sealed   uint64   // last action that is in a segment, as decided
	tail     uint64   // bytes behind it, as decided
	owing    bool     // the archiver has something to erase
	applied  uint64   // last action folded into the stored pages
	reminder standing // the reminder for this activation's work
}

// rowConfig is what an activation needs to know of the world.
type rowConfig struct {
	store    persistence.Store
	history  *logReader // reads the row's log
	table    persistence.Table
	id       string // the grain's identity
	row      []byte
	now      func() time.Time
	newNonce func() uint64
	log      *slog.Logger
	post     func(func())                // runs f in the grain's queue, later
	spawn    func(func())                // runs f beside
	later    func(time.Duration, func()) // runs f in the queue after a while
	tune     tuning
	meter    *meter
}

// tuning holds the thresholds of the commit loop; the zero value is not usable.
type tuning struct {
	flushActions  int           // dirty actions that force a flush
	flushAge      time.Duration // a commit so long after the last flush carries the next
	freshness     time.Duration // reads need a put or check this recent
	commitTime    time.Duration // deadline of one commit
	pageBudget    int           // bytes of pages held after a flush
	reminderAfter time.Duration
	foundingGrace time.Duration // the edge makes a room that was split off
	leavingGrace  time.Duration // the edge sends a draft itself
	segment       uint64        // bytes of a segment; the tail has one to two
	transferPause time.Duration // before an import or export is tried again; longer each time
	touch         int           // entities of one action of a mailbox; 0 means mailbox.MaxTouched
}

func defaultTuning() tuning {
	return tuning{flushActions: 100, flushAge: 30 * time.Second, freshness: 5 * time.Second,
		commitTime: 30 * time.Second, pageBudget: 1 << 20, reminderAfter: 30 * time.Second, foundingGrace: authorGrace, leavingGrace: 30 * time.Second,
		transferPause: time.Second,
		segment:       4 << 20}
}

type phase uint8

const (
	loading phase = iota
	ready
	reading // a need, a fence check: later commands wait in order
	dead
)

// input is a command and where its answer goes. reply is called exactly once.
type input struct {
	cmd      any
	atLeast  parley.Revision
	deadline time.Time // zero: none
	read     bool
	request  string    // the id of the caller's request, for the log; "" where there is none
	came     time.Time // by the clock of the process; zero for what came from no caller
	since    int       // proofs begun when it came
	reply    func(any, error)
}

var errMoved = &parley.Error{Code: parley.Unavailable, Op: "actors", Public: "the server is moving this mailbox; try again"}

// handle takes one command.
func (a *activation) handle(in input) {
	switch {
	case a.phase == dead:
		in.reply(nil, a.unavailable())
	case a.phase != ready || len(a.waiting) > 0:
		a.waiting = append(a.waiting, in)
	default:
		a.run(in)
	}
}

// run decides a command in the ready phase.
func (a *activation) run(in input) {
	now := a.now()
	if !in.deadline.IsZero() && time.Now().After(in.deadline) { // the caller's clock, not the log's
		in.reply(nil, context.DeadlineExceeded) // nobody waits any more
		return
	}
	if in.read && a.pending == nil && a.flying == nil && now.Sub(a.checkedAt) > a.tune.freshness {
		a.waiting = append([]input{in}, a.waiting...)
		a.checkFence()
		return
	}
	d, err := a.decide(in, now)
	if need := (*needError)(nil); errors.As(err, &need) {
		a.waiting = append([]input{in}, a.waiting...)
		a.fetch(need.pages)
		return
	}
	if need := (*logNeed)(nil); errors.As(err, &need) {
		a.waiting = append([]input{in}, a.waiting...)
		a.fetchActions(need.actions)
		return
	}
	if need := (*besideError)(nil); errors.As(err, &need) {
		a.beside(in, need.work)
		return
	}
	if a.pending == nil && in.doubted(a.proven, d) {
		a.confirm(in)
		return
	}
	if err != nil {
		a.answer(in, func() { in.reply(nil, err) })
		return
	}
	a.accept(in, d)
}

// accept makes a decision part of the batch and arranges its answer.
func (a *activation) accept(in input, d decision) {
	if len(d.actions) > 0 {
		d.fold()
		a.batch().add(a, d)
	}
	if d.next != nil {
		in.cmd = d.next
		a.waiting = append([]input{in}, a.waiting...)
		a.post(a.drain)
		a.commit()
		return
	}
	a.answer(in, func() {
		rep, err := d.reply()
		if err != nil || d.after == nil {
			in.reply(rep, err)
			return
		}
		a.spawn(func() {
			in.reply(safely(func() (any, error) { return d.after(a.ctx, rep) }))
		})
	})
	a.commit()
}

// answer sends an answer when the last action decided before it is committed:
// nothing undurable is ever shown, refusals and reads included.
func (a *activation) answer(in input, send func()) {
	if !in.came.IsZero() {
		a.meter.decided.WithLabelValues(string(a.table)).Observe(time.Since(in.came).Seconds())
	}
	w := waiter{send, func(err error) { in.reply(nil, err) }, in.request}
	switch {
	case a.pending != nil:
		a.pending.answers = append(a.pending.answers, w)
	case a.flying != nil:
		a.flying.answers = append(a.flying.answers, w)
	default:
		send()
	}
}

// drain goes on with the commands that waited.
func (a *activation) drain() {
	for a.phase == ready && len(a.waiting) > 0 {
		in := a.waiting[0]
		a.waiting[0] = input{} // the array stays for a while
		a.waiting = a.waiting[1:]
		a.run(in)
	}
}

// abandon ends the activation: every waiting answer is Unavailable, the state is
// dropped, nothing is retried inside it.
func (a *activation) abandon(err error) {
	if a.phase == dead {
		return
	}
	a.phase, a.cause = dead, err
	if !errors.Is(err, errMoved) {
		a.log.Warn("activation ends", "kind", a.table, "grain", a.id, "request", a.asker(), "err", err)
	}
	for _, b := range []*batch{a.flying, a.pending} {
		if b != nil {
			b.fail(a.unavailable())
		}
	}
	a.flying, a.pending = nil, nil
	for _, in := range a.waiting {
		in.reply(nil, a.unavailable())
	}
	a.waiting = nil
	if a.onEnd != nil {
		a.onEnd(err)
	}
	if a.onDead != nil {
		a.onDead()
	}
}

// asker is the request of the first caller that waits, for the log.
func (a *activation) asker() string {
	for _, b := range []*batch{a.flying, a.pending} {
		if b != nil && len(b.answers) > 0 {
			return b.answers[0].request
		}
	}
	if len(a.waiting) > 0 {
		return a.waiting[0].request
	}
	return ""
}

// unavailable is what a waiting caller hears; a full disk is said plainly.
func (a *activation) unavailable() error {
	if errors.Is(a.cause, persistence.ErrNoSpace) {
		return &parley.Error{Code: parley.DiskFull, Op: "actors.commit", Public: "the server has no space left", Err: a.cause}
	}
	if e := (*parley.Error)(nil); errors.As(a.cause, &e) && e.Code != parley.Internal {
		return a.cause
	}
	return &parley.Error{Code: parley.Unavailable, Op: "actors.activation", Public: "try again later", Err: a.cause}
}

// idle reports whether nothing is under way, so that the activation may end.
func (a *activation) idle() bool {
	return a.phase == dead || a.phase == ready && a.pending == nil && a.flying == nil && len(a.waiting) == 0 && !a.reminder.busy && !a.archive.busy
}
