package mailbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

var sizes = []int{1_000, 100_000}

// stocked is a mailbox of n mails in as many threads, whole in memory.
func stocked(b *testing.B, n int) *mailbox.State {
	s := mailbox.NewWhole(me)
	for i := range n {
		decided(b, s, manyth(i, begin.Add(time.Duration(i)*time.Second)), begin)
	}
	s.TakeDirty()
	return s
}

// decided decides and folds, as a grain does with every command.
func decided(b *testing.B, s *mailbox.State, cmd any, now time.Time) {
	d, err := s.Decide(cmd, now)
	if err != nil {
		b.Fatal(err)
	}
	for _, a := range d.Actions {
		if err := s.Apply(a); err != nil {
			b.Fatal(err)
		}
	}
}

// touchedBy says how many pages the commands so far changed, per command.
func touchedBy(b *testing.B, s *mailbox.State, commands int, dirty int) {
	b.ReportMetric(float64(dirty+s.Dirty())/float64(max(commands, 1)), "pages/op")
}

// BenchmarkDeliver files a post in one of a hundred rooms. Pages are taken as a
// flush does, every hundred actions.
func BenchmarkDeliver(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("mailbox=%d", n), func(b *testing.B) {
			s := stocked(b, n)
			rooms := make([]*room, 100)
			for i := range rooms {
				rooms[i] = newRoom(fmt.Sprint(i), begin, "ana", "me")
			}
			b.ReportAllocs()
			b.ResetTimer()
			dirty, done := 0, 0
			now := begin.Add(time.Duration(n) * time.Second)
			for b.Loop() {
				b.StopTimer()
				r := rooms[done%len(rooms)]
				now = now.Add(time.Second)
				r.post("ana", "hello", now, nil, nil, false)
				cmd := r.bring(max(0, len(r.seen)-2), len(r.seen))
				b.StartTimer()
				decided(b, s, cmd, now)
				if done++; done%100 == 0 {
					dirty += len(s.TakeDirty())
				}
			}
			touchedBy(b, s, done, dirty)
		})
	}
}

// BenchmarkDeliverMail files a mail that answers one of those that are there.
func BenchmarkDeliverMail(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("mailbox=%d", n), func(b *testing.B) {
			s := stocked(b, n)
			b.ReportAllocs()
			b.ResetTimer()
			dirty, done := 0, 0
			now := begin.Add(time.Duration(n) * time.Second)
			for b.Loop() {
				b.StopTimer()
				now = now.Add(time.Second)
				cmd := letter{id: fmt.Sprint("new ", done), replies: []string{fmt.Sprint(done * 37 % n)}, from: "bo@out", at: now}.command()
				b.StartTimer()
				decided(b, s, cmd, now)
				if done++; done%100 == 0 {
					dirty += len(s.TakeDirty())
				}
			}
			touchedBy(b, s, done, dirty)
		})
	}
}

// BenchmarkThreadsPage reads a page of fifty threads, the first and the twentieth.
func BenchmarkThreadsPage(b *testing.B) {
	for _, n := range sizes {
		s := stocked(b, n)
		for _, page := range []int{1, 20} {
			b.Run(fmt.Sprintf("mailbox=%d/page=%d", n, page), func(b *testing.B) {
				q := parley.ThreadQuery{Folder: parley.Inbox, Page: parley.Page{Limit: 50}}
				for range page - 1 {
					p, err := s.Threads(q, nil)
					if err != nil {
						b.Fatal(err)
					}
					q.Page.After = p.Next
				}
				b.ReportAllocs()
				for b.Loop() {
					if p, err := s.Threads(q, nil); err != nil || len(p.Items) != 50 {
						b.Fatal(len(p.Items), err)
					}
				}
				b.ReportMetric(float64(cold(b, s, q)), "pages/op")
			})
		}
	}
}

// cold counts the pages that a state without any would load for a query.
func cold(b *testing.B, whole *mailbox.State, q parley.ThreadQuery) (loaded int) {
	all := whole.Pages()
	s := mailbox.New(me)
	for {
		_, err := s.Threads(q, nil)
		need, ok := mailbox.IsNeed(err)
		if !ok {
			return loaded
		}
		for _, k := range need.Pages {
			s.Load(k, all[k])
		}
		loaded += len(need.Pages)
	}
}
