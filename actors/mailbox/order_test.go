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

// TestOrderOfMail brings the same mails in two orders, each by arrival or import:
// what is tied by Message-IDs is one thread in both, under the same subject.
func TestOrderOfMail(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ls := letters(rt)
		want := components(ls)
		for range 2 {
			order := rapid.Permutation(ls).Draw(rt, "order")
			got, subjects := threadsOf(rt, order, ls)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				rt.Fatalf("got threads %v\nwant %v\nof %+v", got, want, order)
			}
			for i, of := range got {
				if want := "about " + oldest(ls, of).id; subjects[i] != want {
					rt.Fatalf("got subject %q of %v, want %q", subjects[i], of, want)
				}
			}
		}
	})
}

// letters are mails with few Message-IDs, some of them twice with other words,
// some the same mail twice.
func letters(rt *rapid.T) []letter {
	ids := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	name := rapid.SampledFrom(ids)
	var ls []letter
	for i := range rapid.IntRange(1, 8).Draw(rt, "letters") {
		l := letter{id: name.Draw(rt, "id"), from: "ana@out", at: begin.Add(time.Duration(i) * time.Minute)}
		l.text = rapid.SampledFrom([]string{"one", "two"}).Draw(rt, "text")
		l.references = without(set(rapid.SliceOfN(name, 0, 2).Draw(rt, "references")), l.id)
		if rapid.Bool().Draw(rt, "reply") {
			l.replies = without([]string{name.Draw(rt, "to")}, l.id)
		}
		l.references = without(l.references, l.replies...)
		l.index = rapid.SampledFrom([]string{"", "", "x"}).Draw(rt, "index")
		l.import_ = rapid.Bool().Draw(rt, "import")
		if !slices.ContainsFunc(ls, func(m letter) bool { return m.id == l.id && m.text == l.text }) {
			ls = append(ls, l)
		}
	}
	return ls
}

func (l letter) names() []string {
	out := slices.Concat([]string{l.id}, l.replies, l.references)
	if l.index != "" {
		out = append(out, "index "+l.index)
	}
	return out
}

// components groups letters that share a name, directly or by others.
func components(ls []letter) (out [][]int) {
	group := make([]int, len(ls))
	for i := range ls {
		group[i] = i
	}
	for changed := true; changed; {
		changed = false
		for i, a := range ls {
			for j, b := range ls {
				tied := slices.ContainsFunc(a.names(), func(n string) bool { return slices.Contains(b.names(), n) })
				if tied && group[i] < group[j] {
					group[j], changed = group[i], true
				}
			}
		}
	}
	return grouped(len(ls), func(i int) int { return group[i] })
}

// grouped lists the numbers below n by what they are grouped by.
func grouped[K comparable](n int, by func(int) K) (out [][]int) {
	at := map[K]int{}
	for i := range n {
		k := by(i)
		if _, known := at[k]; !known {
			at[k] = len(out)
			out = append(out, nil)
		}
		out[at[k]] = append(out[at[k]], i)
	}
	return out
}

func oldest(ls []letter, of []int) (first letter) {
	for i, n := range of {
		if i == 0 || ls[n].at.Before(first.at) {
			first = ls[n]
		}
	}
	return first
}

// threadsOf brings the letters in an order and groups them, as ls numbers them,
// by the thread that each is in at last.
func threadsOf(rt *rapid.T, order, ls []letter) (groups [][]int, subjects []string) {
	s := mailbox.NewWhole(me)
	ids := make([]parley.MessageID, len(ls))
	for i, l := range order {
		d, err := s.Decide(l.command(), begin.Add(time.Duration(i)*time.Hour))
		if err != nil {
			rt.Fatalf("%+v: %v", l, err)
		}
		for _, a := range d.Actions {
			if err := s.Apply(a); err != nil {
				rt.Fatalf("%v", err)
			}
		}
		id := d.Reply.Messages[0]
		m, err := s.Message(id)
		if err != nil {
			rt.Fatalf("%v", err)
		}
		checkSignal(rt, order[:i], l, m.Explanation())
		ids[slices.IndexFunc(ls, func(m letter) bool { return m.id == l.id && m.text == l.text })] = id
	}
	thread := func(i int) parley.ThreadID {
		m, err := s.Message(ids[i])
		if err != nil {
			rt.Fatalf("%v", err)
		}
		return m.Thread
	}
	for _, of := range grouped(len(ls), thread) {
		it, err := s.Thread(thread(of[0]))
		if err != nil {
			rt.Fatalf("%v", err)
		}
		groups, subjects = append(groups, of), append(subjects, it.Thread.Subject)
	}
	return groups, subjects
}

// checkSignal holds the reason that is stored to the order of signals: the
// strongest name of a message that is here, else one that somebody only named.
func checkSignal(rt *rapid.T, before []letter, l letter, why parley.Explanation) {
	c := l.command()
	here := func(name string, i int) bool {
		return slices.ContainsFunc(before, func(b letter) bool { return i > 0 && b.id == name })
	}
	named := func(name string, _ int) bool {
		return slices.ContainsFunc(before, func(b letter) bool { return slices.Contains(b.names(), name) })
	}
	want, evidence := parley.SignalNew, ""
	for _, known := range []func(string, int) bool{here, named} {
		for i, name := range l.names() {
			if want == parley.SignalNew && known(name, i) {
				want, evidence = c.Signals[i], c.Evidence[i]
			}
		}
	}
	if why.Signal != want || why.Evidence != evidence {
		rt.Fatalf("%+v after %+v\ngot %s %q, want %s %q", l, before, why.Signal, why.Evidence, want, evidence)
	}
}
