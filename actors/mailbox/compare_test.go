package mailbox_test

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// lookout compares what a state answers with what the naive mailbox says.
type lookout struct {
	t     tester
	s     *mailbox.State
	n     *naive
	now   time.Time
	limit int // of the pages of lists
	load  func(func() error) error
}

// read runs a query, with what it loads where pages may be missing.
func (l *lookout) read(q func() error) error {
	if l.load != nil {
		return l.load(q)
	}
	return q()
}

// figures are compared after every step.
func (l *lookout) figures() {
	l.t.Helper()
	st, err := l.s.Stats(l.now)
	l.is("figures", st, err, l.n.stats(l.now))
	fs, err := l.s.Folders()
	l.is("folders", fs, err, l.n.shown())
}

func (l *lookout) things() {
	l.t.Helper()
	for id, th := range l.n.threads {
		it, err := l.s.Thread(id)
		if err != nil {
			l.t.Fatalf("thread %s: %v", id, err)
		}
		l.is("thread "+string(id), it.Public(), err, l.n.view(th))
	}
	for id := range l.n.merged {
		it, err := l.s.Thread(id)
		if th := l.n.thread(id); th == nil && parley.CodeOf(err) != parley.NotFound || th != nil && (err != nil || it.Thread.ID != th.ID) {
			l.t.Fatalf("merged thread %s: got %+v, %v, want %+v", id, it.Thread, err, th)
		}
	}
	for _, n := range l.n.messages {
		m, err := l.s.Message(n.ID)
		if err != nil {
			l.t.Fatalf("message %s: %v", n.ID, err)
		}
		l.is("message "+string(n.ID), m.Public(), err, n.Message)
		if n.Notice == "" {
			why := m.Explanation()
			l.is("arrivals of "+string(n.ID), why.Arrivals, nil, n.arrivals)
			l.is("reason of "+string(n.ID), fmt.Sprint(why.Signal, why.Evidence), nil, fmt.Sprint(n.signal, n.evidence))
		}
	}
}

func (l *lookout) blob(id parley.BlobID) {
	l.t.Helper()
	upload, with := l.n.opens(id)
	_, m, err := l.s.Blob(id, l.n.now)
	switch {
	case upload && err == nil && m == nil:
	case !upload && len(with) > 0 && err == nil && m != nil && slices.Contains(with, m.ID):
	case !upload && len(with) == 0 && parley.CodeOf(err) == parley.NotFound:
	default:
		l.t.Fatalf("blob %s: got %v, %v; want upload=%t, with=%v", id, m, err, upload, with)
	}
}

// is compares by what is printed, so that an empty list equals none.
func (l *lookout) is(what string, got any, err error, want any) {
	l.t.Helper()
	if err == nil && reflect.DeepEqual(got, want) {
		return
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); err != nil || g != w {
		l.t.Fatalf("%s: %v\ngot  %s\nwant %s", what, err, g, w)
	}
}

// pages reads a list in one direction until it ends.
func pages[T any](p parley.Page, read func(parley.Page) ([]T, string, string, error)) (all []T, err error) {
	back := p.End || p.Before != ""
	for range 10_000 {
		items, next, prev, err := read(p)
		switch {
		case err != nil:
			return nil, err
		case len(items) > p.Limit:
			return nil, fmt.Errorf("%d items on a page of %d", len(items), p.Limit)
		case back:
			all = append(items, all...)
			p = parley.Page{Before: prev, Limit: p.Limit}
		default:
			all = append(all, items...)
			p = parley.Page{After: next, Limit: p.Limit}
		}
		if p.After+p.Before == "" {
			return all, nil
		}
	}
	return nil, fmt.Errorf("the list has no end")
}

// around compares a list read from every place in both directions.
func around[T comparable](l *lookout, what string, want []T, read func(parley.Page) ([]T, string, string, error)) {
	l.t.Helper()
	forth, err := pages(parley.Page{Limit: l.limit}, read)
	l.is(what+" forwards", forth, err, want)
	back, err := pages(parley.Page{End: true, Limit: l.limit}, read)
	l.is(what+" backwards", back, err, want)
	p := parley.Page{Limit: l.limit}
	for at := 0; at < len(want); {
		items, next, prev, err := read(p)
		l.is(what+" page", items, err, want[at:at+len(items)])
		if prev != "" {
			before, err := pages(parley.Page{Before: prev, Limit: l.limit}, read)
			l.is(what+" before the page", before, err, want[:at])
		} else if at > 0 && len(items) > 0 {
			l.t.Fatalf("%s: nothing before item %d", what, at)
		}
		at += len(items)
		if p = (parley.Page{After: next, Limit: l.limit}); next == "" {
			return
		}
	}
}

func (l *lookout) threads(q parley.ThreadQuery, people ...string) {
	l.t.Helper()
	want := l.n.list(q, people)
	var hashes []mailbox.Hash
	for _, who := range people {
		hashes = append(hashes, mailbox.PersonHash(who))
	}
	say := func(b *bool) string {
		if b == nil {
			return "any"
		}
		return fmt.Sprint(*b)
	}
	what := fmt.Sprintf("threads folder=%s label=%s kind=%s channel=%s unread=%s flagged=%s muted=%s people=%v limit=%d", q.Folder, q.Label,
		q.Kind, q.Channel, say(q.Unread), say(q.Flagged), say(q.Muted), people, l.limit)
	if !l.n.all(slices.DeleteFunc([]parley.FolderID{q.Folder, q.Label}, func(f parley.FolderID) bool { return f == "" })) {
		if err := l.read(func() error { _, err := l.s.Threads(q, hashes); return err }); parley.CodeOf(err) != parley.NotFound {
			l.t.Fatalf("%s: %v, want not found", what, err)
		}
		return
	}
	l.numbered(what, q, hashes, want)
	around(l, what, want, func(p parley.Page) ([]parley.ThreadID, string, string, error) {
		q.Page = p
		var got mailbox.ThreadPage
		err := l.read(func() (err error) { got, err = l.s.Threads(q, hashes); return err })
		if err == nil && got.Total >= 0 && got.Total != int64(len(want)) {
			err = fmt.Errorf("a total of %d", got.Total)
		}
		var ids []parley.ThreadID
		for _, it := range got.Items {
			ids = append(ids, it.Thread.ID)
		}
		return ids, got.Next, got.Prev, err
	})
}

// numbered reads the list by the numbers of its pages, where it has them.
func (l *lookout) numbered(what string, q parley.ThreadQuery, people []mailbox.Hash, want []parley.ThreadID) {
	l.t.Helper()
	var ids []parley.ThreadID
	for n := 1; ; n++ {
		q.Page = parley.Page{Limit: l.limit, Number: n}
		var got mailbox.ThreadPage
		err := l.read(func() (err error) { got, err = l.s.Threads(q, people); return err })
		if parley.CodeOf(err) == parley.BadRequest && n == 1 {
			return
		}
		last := n*l.limit >= len(want)
		if err != nil || got.Total != int64(len(want)) || (got.Next == "") != last || (got.Prev == "") != (n == 1 || len(want) == 0) && len(got.Items) > 0 {
			l.t.Fatalf("%s: page %d: %+v, %v", what, n, got, err)
		}
		for _, it := range got.Items {
			ids = append(ids, it.Thread.ID)
		}
		if len(got.Items) == 0 {
			break
		}
	}
	l.is(what+" by number", ids, nil, want)
}

func (l *lookout) messages(id parley.ThreadID, notices bool) {
	l.t.Helper()
	all := l.n.of(id, notices)
	var want []parley.MessageID
	for _, m := range all {
		want = append(want, m.ID)
	}
	read := func(around parley.MessageID) func(parley.Page) ([]parley.MessageID, string, string, error) {
		return func(p parley.Page) ([]parley.MessageID, string, string, error) {
			var got mailbox.MessagePage
			err := l.read(func() (err error) { got, err = l.s.Messages(id, around, p, notices); return err })
			if err == nil && got.Total != int64(len(want)) {
				err = fmt.Errorf("a total of %d", got.Total)
			}
			var ids []parley.MessageID
			for _, m := range got.Items {
				ids = append(ids, m.ID)
			}
			return ids, got.Next, got.Prev, err
		}
	}
	what := fmt.Sprintf("messages of %s notices=%t limit=%d", id, notices, l.limit)
	around(l, what, want, read(""))
	for i, m := range want {
		items, _, _, err := read(m)(parley.Page{Limit: l.limit})
		first := max(0, i-l.limit/2)
		l.is(what+" around "+string(m), items, err, want[first:min(len(want), first+l.limit)])
	}
}
