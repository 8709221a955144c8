package mailbox_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// TestOrderAfterSplit splits a thread that has come in part and brings the rest,
// each mail by arrival or import, in two orders: a mail is with its nearest
// ancestor that was there, or was named, at the split; and with the rest where
// there was none. A name alone goes along where a mail that was split off names
// another such one before it. Those that were there name all their ancestors, as
// RFC 5322 3.6.4 has it; the others may name their parent alone.
func TestOrderAfterSplit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ls := talked(rt)
		there := rapid.IntRange(2, len(ls)).Draw(rt, "there")
		order := rapid.Permutation(indices(len(ls))).Draw(rt, "first")
		early, late := order[:there], order[there:]
		off := rapid.SliceOfNDistinct(rapid.SampledFrom(early), 1, there-1, func(i int) int { return i }).Draw(rt, "off")
		for _, i := range late {
			if rapid.Bool().Draw(rt, "parent alone") {
				ls[i].references = nil
			}
			ls[i].import_ = rapid.Bool().Draw(rt, "import")
		}
		want := fmt.Sprint(sides(ls, early, off))
		for range 2 {
			rest := rapid.Permutation(late).Draw(rt, "order")
			if got := fmt.Sprint(splitAndBring(rt, ls, early, off, rest)); got != want {
				rt.Fatalf("there %v, split off %v, then %v of %+v\ngot  %v\nwant %v", early, off, rest, ls, got, want)
			}
		}
	})
}

// talked is a conversation in which everybody names all before.
func talked(rt *rapid.T) (ls []letter) {
	for i := range rapid.IntRange(3, 10).Draw(rt, "letters") {
		l := letter{id: fmt.Sprint("m", i), from: "ana@out", text: "x", at: begin.Add(time.Duration(i) * time.Minute)}
		if i > 0 {
			up := ls[rapid.IntRange(0, i-1).Draw(rt, "answers")]
			l.replies, l.references = []string{up.id}, slices.Concat(up.replies, up.references)
		}
		ls = append(ls, l)
	}
	return ls
}

func indices(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// sides says of each letter whether it ends up with those that were split off.
func sides(ls []letter, early, off []int) []bool {
	up := func(i int) int {
		return slices.IndexFunc(ls, func(l letter) bool { return len(ls[i].replies) > 0 && l.id == ls[i].replies[0] })
	}
	side := map[int]bool{}
	for _, i := range early { // the names alone
		below := []int{}
		for at := up(i); at >= 0; at = up(at) {
			if !slices.Contains(early, at) {
				below = append(below, at)
				continue
			}
			for _, name := range below {
				side[name] = side[name] || slices.Contains(off, i) && slices.Contains(off, at)
			}
			below = nil
		}
		for _, name := range below { // what nobody decides stays
			if _, decided := side[name]; !decided {
				side[name] = false
			}
		}
	}
	for _, i := range early {
		side[i] = slices.Contains(off, i)
	}
	out := make([]bool, len(ls))
	for i := range ls {
		at := i
		for _, known := side[at]; !known && at >= 0; _, known = side[at] {
			at = up(at)
		}
		out[i] = side[at]
	}
	return out
}

// splitAndBring says the same of a mailbox.
func splitAndBring(rt *rapid.T, ls []letter, early, off, rest []int) []bool {
	s := mailbox.NewWhole(me)
	do := func(cmd any) mailbox.Reply {
		d, err := s.Decide(cmd, begin)
		if err != nil {
			rt.Fatalf("%+v: %v", cmd, err)
		}
		for _, a := range d.Actions {
			if err := s.Apply(a); err != nil {
				rt.Fatalf("%v", err)
			}
		}
		return d.Reply
	}
	ids := make([]parley.MessageID, len(ls))
	for _, i := range early {
		ids[i] = do(ls[i].command()).Messages[0]
	}
	split := mailbox.SplitThread{Thread: threadAt(rt, s, ids[early[0]]), NewThread: threadID("split off")}
	for _, i := range off {
		split.Messages = append(split.Messages, ids[i])
	}
	do(split)
	for _, i := range rest {
		ids[i] = do(ls[i].command()).Messages[0]
	}
	gone := threadAt(rt, s, ids[off[0]])
	out := make([]bool, len(ls))
	for i, id := range ids {
		out[i] = threadAt(rt, s, id) == gone
	}
	return out
}

func threadAt(rt *rapid.T, s *mailbox.State, id parley.MessageID) parley.ThreadID {
	m, err := s.Message(id)
	if err != nil {
		rt.Fatalf("%v", err)
	}
	return m.Thread
}
