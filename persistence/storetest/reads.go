package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/parley-im/parley/persistence"
)

func absentRowIsEmpty(t *testing.T, s *fixture) {
	for i, cells := range s.read(s.row("none"), all(persistence.Log), all(persistence.Meta)) {
		if len(cells) != 0 {
			t.Errorf("range %d: got %s, want nothing", i, show(cells))
		}
	}
}

func rangesInOrder(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Meta, "b", 1, "mb"), cell(persistence.Log, "c", 1, "lc"),
		cell(persistence.Log, "a", 1, "la"), cell(persistence.Search, "x", 1, "sx"), cell(persistence.Log, "b", 1, "lb"))
	got := s.read(row, all(persistence.Search), all(persistence.Log), all(persistence.Meta), all(persistence.Log))
	log := "l:\"a\"@1=\"la\" l:\"b\"@1=\"lb\" l:\"c\"@1=\"lc\" "
	for i, want := range []string{"s:\"x\"@1=\"sx\" ", log, "m:\"b\"@1=\"mb\" ", log} {
		if show(got[i]) != want {
			t.Errorf("range %d: got %s, want %s", i, show(got[i]), want)
		}
	}
}

func rangeBounds(t *testing.T, s *fixture) {
	row := s.row("r")
	a, b, c := cell(persistence.Log, "a", 1, "1"), cell(persistence.Log, "b", 1, "2"), cell(persistence.Log, "c", 1, "3")
	s.put(row, a, b, c, cell(persistence.Meta, "a", 1, "other family"))
	r := func(from, to []byte) persistence.Range {
		return persistence.Range{Family: persistence.Log, From: from, To: to, Limit: 10}
	}
	s.want(row, r([]byte("a"), []byte("c")), a, b)
	s.want(row, r([]byte("aa"), []byte("bb")), b)
	s.want(row, r([]byte("b"), nil), b, c)
	s.want(row, r(nil, nil), a, b, c)
	s.want(row, r([]byte("c"), []byte("a")))
	s.want(row, r([]byte("b"), []byte("b")))
	s.want(row, r(nil, []byte{}))
}

func rangeLimit(t *testing.T, s *fixture) {
	row := s.row("r")
	a, b, c := cell(persistence.Log, "a", 1, "1"), cell(persistence.Log, "b", 1, "2"), cell(persistence.Log, "c", 1, "3")
	s.put(row, a, b, c)
	for limit, want := range [][]persistence.Cell{1: {a}, 2: {a, b}, 3: {a, b, c}, 4: {a, b, c}} {
		if limit > 0 {
			s.want(row, persistence.Range{Family: persistence.Log, Limit: limit}, want...)
		}
	}
	if _, err := s.Read(t.Context(), table, row, persistence.Range{Family: persistence.Log}); err == nil {
		t.Error("a range without a limit was read")
	}
}

func emptyValue(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 1, ""), cell(persistence.Log, "", 1, "empty qualifier"))
	s.want(row, all(persistence.Log), cell(persistence.Log, "", 1, "empty qualifier"), cell(persistence.Log, "q", 1, ""))
}

func tablesApart(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 1, "mailbox"))
	thread := []persistence.Cell{cell(persistence.Log, "q", 1, "thread")}
	if err := s.Put(t.Context(), persistence.Thread, row, thread); err != nil {
		t.Fatal(err)
	}
	s.want(row, all(persistence.Log), cell(persistence.Log, "q", 1, "mailbox"))
	got, err := s.Read(t.Context(), persistence.Thread, row, all(persistence.Log))
	if err != nil || !slices.EqualFunc(got[0], thread, sameCell) {
		t.Errorf("thread: got %s, %v", show(got[0]), err)
	}
}

func exactlyOne(t *testing.T, s *fixture) {
	row := s.row("r")
	s.put(row, cell(persistence.Log, "q", 1, "1"), cell(persistence.Log, "q\x00", 1, "2"), cell(persistence.Log, "qq", 1, "3"))
	s.want(row, persistence.Exactly(persistence.Log, []byte("q")), cell(persistence.Log, "q", 1, "1"))
	s.want(row, persistence.Exactly(persistence.Log, []byte("p")))
}

// oneState writes the same number into two families again and again; a read must never see two numbers.
func oneState(t *testing.T, s *fixture) {
	row := s.row("r")
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for n := uint64(1); n <= 200; n++ {
			v := fmt.Sprint(n)
			if err := s.Put(t.Context(), table, row, []persistence.Cell{cell(persistence.Search, "z", n, v), cell(persistence.Log, "a", n, v)}); err != nil {
				t.Error(err)
				break
			}
		}
		close(stop)
	})
	for running := true; running; {
		select {
		case <-stop:
			running = false
		default:
		}
		got := s.read(row, all(persistence.Log), all(persistence.Search))
		if len(got[0]) != len(got[1]) || len(got[0]) == 1 && !bytes.Equal(got[0][0].Value, got[1][0].Value) {
			t.Errorf("two states in one read: %s and %s", show(got[0]), show(got[1]))
		}
	}
	writer.Wait()
}

func slicesBelong(t *testing.T, s *fixture) {
	row := s.row("r")
	mine := cell(persistence.Log, "qualifier", 1, "value")
	s.put(row, mine, cell(persistence.Log, "r", 1, "next"))
	copy(mine.Qualifier, "XXXXXXXXX")
	copy(mine.Value, "XXXXX")
	want := []persistence.Cell{cell(persistence.Log, "qualifier", 1, "value"), cell(persistence.Log, "r", 1, "next")}
	got := s.read(row, all(persistence.Log))[0]
	if !slices.EqualFunc(got, want, sameCell) {
		t.Fatalf("the store kept the caller's slices: %s", show(got))
	}
	for _, c := range got {
		for _, b := range [][]byte{c.Qualifier, c.Value} {
			for i := range b {
				b[i] = 'Y'
			}
			_ = append(b, "over the end"...)
		}
	}
	s.want(row, all(persistence.Log), want...)
}
