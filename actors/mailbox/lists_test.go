package mailbox_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// newMany is a mailbox of n threads of one mail each, the newest with the highest
// number; every fiftieth is read, every seventieth is from bo.
func newMany(t *testing.T, n int) *solo {
	s := newSolo(t)
	for i := range n {
		s.ask(manyth(i, s.now))
	}
	s.store()
	return s
}

func manyth(i int, at time.Time) mailbox.DeliverMail {
	l := letter{id: fmt.Sprint(i), from: "ana@out", at: at, old: i%50 == 0, import_: true}
	if i%70 == 0 {
		l.from = "bo@out"
	}
	return l.command()
}

// ids reads a list to its end on the twin without pages, and says in how many
// pages and rounds.
func (s *solo) ids(q parley.ThreadQuery, people ...string) (out []string, pages int) {
	s.Helper()
	var hashes []mailbox.Hash
	for _, who := range people {
		hashes = append(hashes, mailbox.PersonHash(who))
	}
	back := q.Page.End
	for {
		var p mailbox.ThreadPage
		if err := s.load(func() (err error) { p, err = s.paged.Threads(q, hashes); return err }); err != nil {
			s.Fatal(err)
		}
		s.flush()
		var got []string
		for _, it := range p.Items {
			got = append(got, it.Thread.Subject)
		}
		pages++
		if q.Page = (parley.Page{After: p.Next, Limit: q.Page.Limit}); back {
			out, q.Page = append(got, out...), parley.Page{Before: p.Prev, Limit: q.Page.Limit}
		} else {
			out = append(out, got...)
		}
		if q.Page.After+q.Page.Before == "" {
			return out, pages
		}
	}
}

// A filter that leaves out most of a long list is bounded in what one page looks
// at: pages may be short, and the list is whole.
func TestFilteredLists(t *testing.T) {
	const n = 1200 // more than one page looks at
	s := newMany(t, n)
	yes, no := true, false
	for _, tc := range []struct {
		name   string
		q      parley.ThreadQuery
		people []string
		every  int
	}{
		{"read", parley.ThreadQuery{Unread: &no}, nil, 50},
		{"read in inbox", parley.ThreadQuery{Folder: parley.Inbox, Unread: &no}, nil, 50},
		{"rooms", parley.ThreadQuery{Kind: parley.KindRoom}, nil, n + 1},
		{"of bo", parley.ThreadQuery{}, []string{"bo@out"}, 70},
		{"of bo and ana, read", parley.ThreadQuery{Unread: &no}, []string{"bo@out", "ana@out"}, 50},
		{"of bo in trash", parley.ThreadQuery{Folder: parley.Trash, Unread: &yes}, []string{"bo@out"}, n + 1},
	} {
		for _, limit := range []int{2, 50, 200} {
			for _, end := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s limit=%d end=%t", tc.name, limit, end), func(t *testing.T) {
					s.T, s.t, s.rounds, s.pages = t, t, 0, 0
					tc.q.Page = parley.Page{Limit: limit, End: end}
					got, pages := s.ids(tc.q, tc.people...)
					var want []string
					for i := n - 1; i >= 0; i-- {
						if i%tc.every == 0 && tc.every < n {
							want = append(want, fmt.Sprint("about ", i))
						}
					}
					if !slices.Equal(got, want) {
						t.Errorf("got %v\nwant %v", got, want)
					}
					if most := len(want)/limit + n/1000 + 1; pages > most {
						t.Errorf("%d pages, want at most %d", pages, most)
					}
					if s.rounds > 16 || s.pages > 1100 {
						t.Errorf("a page took %d rounds for %d blocks and threads", s.rounds, s.pages)
					}
				})
			}
		}
	}
}

// A cursor holds its place while things come and go, its own thread among them.
func TestCursorsAcrossChanges(t *testing.T) {
	s := newMany(t, 100)
	q := parley.ThreadQuery{Page: parley.Page{Limit: 10}}
	p, err := s.whole.Threads(q, nil)
	if err != nil || p.Total != 100 {
		t.Fatalf("a total of %d, %v", p.Total, err)
	}
	s.ask(manyth(1000, s.now))                                                                                 // at the newest end
	s.ask(letter{id: "late", from: "ana@out", at: begin.Add(50*time.Second + 500*time.Millisecond)}.command()) // among what is to come
	last := p.Items[9].Thread.ID
	for range 2 {
		s.ask(mailbox.ChangeThread{Thread: last, Op: mailbox.OpDelete})
	}
	s.ask(letter{id: "answer", replies: []string{"30"}, from: "ana@out", at: s.now}.command()) // takes 30 to the top
	var got []string
	for q.Page.After = p.Next; q.Page.After != ""; q.Page.After = p.Next {
		if p, err = s.whole.Threads(q, nil); err != nil {
			t.Fatal(err)
		}
		for _, it := range p.Items {
			got = append(got, it.Thread.Subject)
		}
	}
	var want []string
	for i := 89; i >= 0; i-- {
		if i != 30 {
			want = append(want, fmt.Sprint("about ", i))
		}
		if i == 51 {
			want = append(want, "about late")
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestCursorsFromElsewhere(t *testing.T) {
	s := newMany(t, 3)
	for _, c := range []string{"x", "!", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		for _, p := range []parley.Page{{After: c}, {Before: c}} {
			if _, err := s.whole.Threads(parley.ThreadQuery{Page: p}, nil); parley.CodeOf(err) != parley.BadCursor {
				t.Errorf("%+v: %v", p, err)
			}
		}
	}
	for _, limit := range []int{-1, 0, 201} {
		p, err := s.whole.Threads(parley.ThreadQuery{Page: parley.Page{Limit: limit}}, nil)
		if err != nil || len(p.Items) != 3 || p.Next+p.Prev != "" {
			t.Errorf("limit %d: %+v, %v", limit, p, err)
		}
	}
}

// Around a message the page has as many before it as after, where there are so many.
func TestMessagesAround(t *testing.T) {
	s := newSolo(t)
	r := newRoom("boats", s.now, "ana", "me")
	for range 20 {
		r.post("ana", "x", s.now, nil, nil, false)
	}
	s.ask(r.bring(0, 21))
	for _, tc := range []struct{ at, limit, first, last int }{{10, 5, 8, 12}, {10, 4, 8, 11}, {10, 1, 10, 10}, {0, 5, 0, 4}, {1, 5, 0, 4}, {19, 5, 17, 19}} {
		p, err := s.whole.Messages(r.id, r.posts[tc.at], parley.Page{Limit: tc.limit}, false)
		if err != nil || len(p.Items) == 0 || p.Items[0].ID != r.posts[tc.first] || p.Items[len(p.Items)-1].ID != r.posts[tc.last] {
			t.Errorf("%+v: %d items, %v", tc, len(p.Items), err)
		}
		if (p.Prev != "") != (tc.first > 0) || (p.Next != "") != (tc.last < 19) || p.Total != 20 {
			t.Errorf("%+v: prev %q, next %q, total %d", tc, p.Prev, p.Next, p.Total)
		}
	}
	if _, err := s.whole.Messages(r.id, messageID("elsewhere"), parley.Page{}, false); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("around a message of another thread: %v", err)
	}
}
