package mailbox_test

import (
	"fmt"
	"maps"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// twins are one mailbox twice: whole in memory, and with pages that come from a
// store in their stored form and are dropped after each command. Their log is
// kept as stored, too.
type twins struct {
	t      tester
	whole  *mailbox.State
	paged  *mailbox.State
	stored map[mailbox.Key][]byte
	first  [][]byte                               // the log as it was written
	log    [][]byte                               // the log as it is now, with what was blanked
	keep   func(keys []mailbox.Key) []mailbox.Key // chooses pages to keep; nil keeps none
	rounds int                                    // of loading, the most that one command took
	pages  int                                    // the most that one command loaded
}

func newTwins(t tester) *twins {
	return &twins{t: t, whole: mailbox.NewWhole(me), paged: mailbox.New(me), stored: map[mailbox.Key][]byte{}}
}

// do decides a command on both and folds it in, with all that it goes on as and
// the jobs that it makes.
func (w *twins) do(cmd any, now time.Time) (mailbox.Reply, error) {
	w.t.Helper()
	for {
		d, err := w.once(cmd, now)
		if err != nil || d.Next == nil {
			w.work(now)
			return d.Reply, err
		}
		cmd = d.Next
	}
}

// work carries out the jobs there are.
func (w *twins) work(now time.Time) {
	w.t.Helper()
	for n := 0; w.whole.Running() != ""; n++ {
		if _, err := w.once(mailbox.Step{}, now); err != nil || n > 1000 {
			w.t.Fatalf("step %d of %s: %v", n, w.whole.Running(), err)
		}
	}
}

// touch lets an action touch few, so that small commands become jobs.
func (w *twins) touch(n int) {
	w.whole.Touch(n)
	w.paged.Touch(n)
}

// once is a command without what it goes on as, and without the job that it makes.
func (w *twins) once(cmd any, now time.Time) (mailbox.Decision, error) {
	w.t.Helper()
	cmd = w.recall(cmd, now)
	before := w.whole.Pages()
	want, wantErr := w.whole.Decide(cmd, now)
	if !maps.Equal(w.whole.Pages(), before) { // what changes within a page shows in settle
		w.t.Fatalf("deciding %+v changed the state", cmd)
	}
	var got mailbox.Decision
	err := w.load(func() (err error) { got, err = w.paged.Decide(cmd, now); return err })
	if parley.CodeOf(err) != parley.CodeOf(wantErr) || (err == nil) != (wantErr == nil) {
		w.t.Fatalf("paged: %v\nwhole: %v", err, wantErr)
	}
	if !same(w.encoded(got.Actions), w.encoded(want.Actions)) || fmt.Sprint(got.Reply, got.Blank) != fmt.Sprint(want.Reply, want.Blank) {
		w.t.Fatalf("%+v\npaged: %+v\nwhole: %+v", cmd, got, want)
	}
	if err == nil {
		w.fold(want)
	}
	w.flush()
	return want, err
}

// fold takes a decision in: the whole twin as it was decided, the other as it
// was stored.
func (w *twins) fold(d mailbox.Decision) {
	w.t.Helper()
	for i, raw := range w.encoded(d.Actions) {
		if err := w.whole.Apply(d.Actions[i]); err != nil {
			w.t.Fatalf("fold: %v", err)
		}
		a := w.decoded(raw)
		if err := w.paged.Apply(a); err != nil { // what deciding needed is still there
			w.t.Fatalf("fold what was decided: %v", err)
		}
		w.log, w.first = append(w.log, raw), append(w.first, raw)
	}
	for _, n := range d.Blank {
		a := w.decoded(w.log[n-1])
		w.log[n-1] = w.encoded([]mailbox.Action{a.Blank()})[0]
	}
}

// load runs op on the paged twin until nothing is missing, as a grain does.
func (w *twins) load(op func() error) error {
	w.t.Helper()
	for rounds, pages := 0, 0; ; rounds++ {
		before := w.paged.Pages()
		err := op()
		need, ok := mailbox.IsNeed(err)
		if !ok {
			w.rounds, w.pages = max(w.rounds, rounds), max(w.pages, pages)
			return err
		}
		if !maps.Equal(w.paged.Pages(), before) {
			w.t.Fatalf("what lacked pages changed some")
		}
		for _, k := range need.Pages {
			if w.paged.Loaded(k) {
				w.t.Fatalf("%q was asked for and is loaded", k)
			}
			w.paged.Load(k, w.page(k, w.stored[k]))
		}
		pages += len(need.Pages)
		if len(need.Pages) == 0 || rounds > 100 {
			w.t.Fatalf("round %d needs %q", rounds, need.Pages)
		}
	}
}
