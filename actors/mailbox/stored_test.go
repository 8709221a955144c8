package mailbox_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/parley-im/parley/actors/codec"
	"github.com/parley-im/parley/actors/mailbox"
)

// flush stores what changed and drops all but what keep chooses.
func (w *twins) flush() {
	w.t.Helper()
	for k, p := range w.paged.TakeDirty() {
		if p == nil {
			delete(w.stored, k)
			continue
		}
		w.put(k, p)
	}
	kept := w.paged.Pages()
	w.paged.Trim(0, nil)
	if len(w.paged.Pages()) > 1 {
		w.t.Fatalf("%d pages are left of %d", len(w.paged.Pages()), len(kept))
	}
	if w.keep == nil {
		return
	}
	for _, k := range w.keep(slices.Sorted(maps.Keys(kept))) {
		w.paged.Load(k, kept[k])
	}
}

// recall gives an undo the logged action that it reads.
func (w *twins) recall(cmd any, now time.Time) any {
	c, ok := cmd.(mailbox.Recaller)
	if !ok {
		return cmd
	}
	_, err := w.whole.Decide(c, now)
	if need, ok := mailbox.IsNeed(err); ok {
		if len(need.Pages) != 0 || len(need.Actions) != 1 {
			w.t.Fatalf("an undo needs %+v", need)
		}
		a := w.decoded(w.log[need.Actions[0]-1])
		return c.Recall(a)
	}
	return cmd
}

// grow decides a command on the whole twin alone; store then brings the other
// one there.
func (w *twins) grow(cmd any, now time.Time) mailbox.Reply {
	w.t.Helper()
	d, err := w.whole.Decide(cmd, now)
	if err != nil {
		w.t.Fatalf("%+v: %v", cmd, err)
	}
	for i, raw := range w.encoded(d.Actions) {
		if err := w.whole.Apply(d.Actions[i]); err != nil {
			w.t.Fatalf("%v", err)
		}
		w.log, w.first = append(w.log, raw), append(w.first, raw)
	}
	return d.Reply
}

func (w *twins) store() {
	w.t.Helper()
	w.paged = mailbox.New(me)
	for k, p := range w.whole.TakeDirty() {
		if p != nil {
			w.put(k, p)
		}
	}
	w.paged.Load(mailbox.HeaderKey, w.page(mailbox.HeaderKey, w.stored[mailbox.HeaderKey]))
}

func (w *twins) put(k mailbox.Key, p mailbox.Page) {
	w.t.Helper()
	raw, err := codec.EncodePage(k, p)
	if err != nil {
		w.t.Fatalf("store %q: %v", k, err)
	}
	w.stored[k] = raw
}

// replay folds a log from its first action, in stored form.
func (w *twins) replay(log [][]byte) *mailbox.State {
	w.t.Helper()
	s := mailbox.NewWhole(me)
	for _, raw := range log {
		if err := s.Apply(w.decoded(raw)); err != nil {
			w.t.Fatalf("replay: %v", err)
		}
	}
	return s
}

// settle holds both twins, and both forms of the log, to one another.
func (w *twins) settle() {
	w.t.Helper()
	want := w.whole.Canonical()
	all := mailbox.NewWhole(me)
	for k, raw := range w.stored {
		all.Load(k, w.page(k, raw))
	}
	for name, s := range map[string]*mailbox.State{"stored pages": all, "fold of the log": w.replay(w.first), "fold of the blanked log": w.replay(w.log)} {
		if got := s.Canonical(); got != want {
			w.t.Fatalf("%s:\n%s", name, difference(got, want))
		}
	}
}

func (w *twins) encoded(as []mailbox.Action) [][]byte {
	w.t.Helper()
	out := make([][]byte, len(as))
	for i := range as {
		raw, err := codec.EncodeAction(&as[i])
		if err != nil {
			w.t.Fatalf("action %d: %v", as[i].N, err)
		}
		out[i] = raw
	}
	return out
}

func (w *twins) decoded(raw []byte) mailbox.Action {
	w.t.Helper()
	a, err := codec.DecodeAction(raw)
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	return a
}

func (w *twins) page(k mailbox.Key, raw []byte) mailbox.Page {
	w.t.Helper()
	if raw == nil {
		return nil
	}
	p, err := codec.DecodePage(k, raw)
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	return p
}

func same(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// indexed counts the entries of a list by its name.
func indexed(s *mailbox.State, name string) (n int) {
	for line := range strings.Lines(s.Canonical()) {
		if strings.HasPrefix(line, "index "+name+" ") {
			n++
		}
	}
	return n
}

// difference shows the lines in which two canonical forms differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var out []string
	for _, line := range g {
		if !slices.Contains(w, line) {
			out = append(out, "got  "+line)
		}
	}
	for _, line := range w {
		if !slices.Contains(g, line) {
			out = append(out, "want "+line)
		}
	}
	return strings.Join(out, "\n")
}
