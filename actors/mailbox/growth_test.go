package mailbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// work is what is done to a mailbox whose pages are all in the store.
type work struct {
	name string
	do   func(s *solo) error
	most int // pages loaded more in a mailbox ten times the size
}

func (s *solo) decide(cmd any) error { _, err := s.once(cmd, s.now); return err }

func works(room *room) []work {
	first := func(s *solo) (mailbox.ThreadPage, error) {
		return s.whole.Threads(parley.ThreadQuery{Page: parley.Page{Limit: 50}}, nil)
	}
	ask := func(q func(s *solo) error) func(s *solo) error {
		return func(s *solo) error { return s.load(func() error { return q(s) }) }
	}
	return []work{
		{"deliver", func(s *solo) error {
			room.post("ana", "x", s.now, nil, nil, false)
			return s.decide(room.bring(len(room.seen)-1, len(room.seen)))
		}, 3},
		{"mail", func(s *solo) error { return s.decide(letter{id: "new", from: "new@out", at: s.now}.command()) }, 3},
		{"purge", func(s *solo) error {
			if err := s.decide(mailbox.DeleteMessage{Message: room.posts[0]}); err != nil {
				return err
			}
			return s.decide(mailbox.DeleteMessage{Message: room.posts[0]})
		}, 3},
		{"newest page", ask(func(s *solo) error {
			_, err := s.paged.Threads(parley.ThreadQuery{Page: parley.Page{Limit: 50}}, nil)
			return err
		}), 1},
		{"next page", ask(func(s *solo) error {
			p, err := first(s)
			if err == nil {
				_, err = s.paged.Threads(parley.ThreadQuery{Page: parley.Page{Limit: 50, After: p.Next}}, nil)
			}
			return err
		}), 1},
		{"end of the room", ask(func(s *solo) error {
			_, err := s.paged.Messages(room.id, "", parley.Page{Limit: 50, End: true}, true)
			return err
		}), 1},
		{"figures", ask(func(s *solo) error { _, err := s.paged.Stats(s.now); return err }), 0},
	}
}

// grown has n threads of mail, and a room with n posts.
func grown(t *testing.T, n int) (*solo, *room) {
	s := newSolo(t)
	r := newRoom("boats", s.now, "ana", "me")
	for i := range n {
		r.post("ana", "x", s.now.Add(time.Duration(i)*time.Second), nil, nil, false)
	}
	for from := 0; from < len(r.seen); from += 400 {
		s.ask(r.bring(from, min(from+400, len(r.seen))))
	}
	for i := range n {
		s.ask(manyth(i, s.now))
	}
	s.store()
	return s, r
}

// TestGrowth: in a mailbox of ten times the size nothing that happens every day
// loads more than a block more per index that it touches.
func TestGrowth(t *testing.T) {
	small, smallRoom := grown(t, 250)
	large, largeRoom := grown(t, 2500)
	for i, w := range works(smallRoom) {
		t.Run(w.name, func(t *testing.T) {
			had := small.cold(t, w)
			got := large.cold(t, works(largeRoom)[i])
			t.Logf("%d pages of 250, %d of 2,500", had, got)
			if got > had+w.most {
				t.Errorf("%d pages of 2,500, %d of 250; want at most %d more", got, had, w.most)
			}
		})
	}
}

// cold does a work with nothing but the header in memory and counts what it loads.
func (s *solo) cold(t *testing.T, w work) int {
	s.T, s.t, s.pages = t, t, 0
	s.flush()
	s.now = s.now.Add(time.Minute)
	if err := w.do(s); err != nil {
		t.Fatalf("%s: %v", w.name, err)
	}
	if s.rounds > 14 {
		t.Errorf("%s took %d rounds", w.name, s.rounds)
	}
	return s.pages
}

// A guess may name too much, and never changes what is decided; a wrong one is harmless.
func TestGuess(t *testing.T) {
	r := newRoom("boats", begin, "ana", "me")
	r.post("ana", "x", begin, nil, nil, false)
	cmd := r.bring(0, 2)
	s := mailbox.New(me)
	for _, k := range mailbox.Guess(cmd, me) {
		s.Load(k, nil)
	}
	_, err := s.Decide(cmd, begin)
	need, ok := mailbox.IsNeed(err)
	if !ok {
		t.Fatal(err)
	}
	for _, k := range need.Pages {
		if k[0] == 'i' && k[1] != 'N' { // few deliveries are notices
			t.Errorf("the index %q was not guessed", k)
		}
	}
	if got := mailbox.Guess(mailbox.Close{}, me); got != nil {
		t.Errorf("got %v for another command", got)
	}
	if need.Error() == "" || fmt.Sprint(need) == "" {
		t.Error("a need says nothing")
	}
}
