package actors

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/parley-im/parley"
)

// opaque is a command that can be stored without being understood.
type opaque interface{ Opaque() any }

// decide runs the machine under recover: what panics is stored as
// an opaque message if it is one, and never takes the grain down.
func (a *activation) decide(in input, now time.Time) (d decision, err error) {
	if a.readOnly != nil && !in.read {
		return decision{}, a.readOnly
	}
	d, err = a.decideOnce(in.cmd, now)
	if p := (*poison)(nil); asPoison(err, &p) {
		a.log.Error("a command panicked", "kind", a.table, "grain", a.id, "request", in.request, "panic", fmt.Sprint(p.value), "stack", p.stack)
		if o, ok := in.cmd.(opaque); ok {
			d, err = a.decideOnce(o.Opaque(), now)
		}
		if asPoison(err, &p) {
			return decision{}, &parley.Error{Code: parley.Internal, Op: "actors.decide", Public: "this could not be processed", Err: p}
		}
	}
	if err != nil {
		return decision{}, err
	}
	if missing := a.unknownActions(d.blank); len(missing) > 0 {
		return decision{}, &logNeed{missing}
	}
	return d, nil
}

func (a *activation) decideOnce(cmd any, now time.Time) (d decision, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &poison{v, string(debug.Stack())}
		}
	}()
	return a.m.decide(cmd, now)
}

// safely runs what reads bodies: a mail that the parser chokes on spoils its own
// answer and nothing else.
func safely(f func() (any, error)) (rep any, err error) {
	defer func() {
		if v := recover(); v != nil {
			rep, err = nil, &parley.Error{Code: parley.Internal, Op: "actors.read", Public: "this could not be read", Err: &poison{v, string(debug.Stack())}}
		}
	}()
	return f()
}

// hintSafely asks for the pages of the first command; a command that panics here
// will do so again where it is decided, and is dealt with there.
func (a *activation) hintSafely(first any) (pages []string) {
	defer func() {
		if recover() != nil {
			pages = nil
		}
	}()
	return a.m.hint(first)
}

type poison struct {
	value any
	stack string
}

func (p *poison) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func asPoison(err error, p **poison) bool {
	got, ok := err.(*poison)
	if ok {
		*p = got
	}
	return ok
}

// logNeed says which logged actions a decision lacks in order to blank them.
type logNeed struct{ actions []uint64 }

func (*logNeed) Error() string { return "actors: logged actions to read first" }

func (a *activation) unknownActions(ns []uint64) []uint64 {
	var out []uint64
	for _, n := range ns {
		if a.logged(n) == nil {
			out = append(out, n)
		}
	}
	return out
}
