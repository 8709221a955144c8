package mailbox_test

import (
	"testing"

	"github.com/parley-im/parley"
)

// A page by number goes on in both directions, and one past the end is empty.
func TestPagesByNumber(t *testing.T) {
	s := newSolo(t)
	r := newRoom("boats", s.now, "ana", "me")
	for range 20 {
		r.post("ana", "x", s.now, nil, nil, false)
	}
	s.ask(r.bring(0, 21))
	for n, want := range [][2]int{1: {0, 6}, 2: {7, 13}, 3: {14, 19}} {
		if n == 0 {
			continue
		}
		p, err := s.whole.Messages(r.id, "", parley.Page{Limit: 7, Number: n}, false)
		if err != nil || p.Total != 20 || p.Items[0].ID != r.posts[want[0]] || p.Items[len(p.Items)-1].ID != r.posts[want[1]] {
			t.Fatalf("page %d: %d of %d, %v", n, len(p.Items), p.Total, err)
		}
		if (p.Prev != "") != (n > 1) || (p.Next != "") != (n < 3) {
			t.Errorf("page %d: prev %q, next %q", n, p.Prev, p.Next)
		}
		if n == 2 {
			after, _ := s.whole.Messages(r.id, "", parley.Page{Limit: 7, After: p.Next}, false)
			before, _ := s.whole.Messages(r.id, "", parley.Page{Limit: 7, Before: p.Prev}, false)
			if after.Items[0].ID != r.posts[14] || before.Items[6].ID != r.posts[6] {
				t.Errorf("beside page 2 are %s and %s", after.Items[0].ID, before.Items[6].ID)
			}
		}
	}
	if p, err := s.whole.Messages(r.id, "", parley.Page{Limit: 7, Number: 4}, false); err != nil || len(p.Items) != 0 || p.Total != 20 {
		t.Errorf("past the end: %d of %d, %v", len(p.Items), p.Total, err)
	}
	if _, err := s.whole.Messages(r.id, "", parley.Page{Number: 1}, true); parley.CodeOf(err) != parley.BadRequest {
		t.Errorf("with notices: %v", err)
	}
	// What is looked for thread by thread is not counted.
	for field, q := range map[string]parley.ThreadQuery{
		"kind": {Kind: parley.KindMail}, "channel": {Channel: parley.ChannelChat}, "unread": {Unread: new(false)},
		"folder, muted": {Folder: parley.Inbox, Muted: new(true)}, "flagged": {Flagged: new(false)},
	} {
		q.Page.Number = 1
		if _, err := s.whole.Threads(q, nil); parley.CodeOf(err) != parley.BadRequest {
			t.Errorf("%s: %v", field, err)
		}
		q.Page.Number = 0
		if p, err := s.whole.Threads(q, nil); err != nil || p.Total != -1 {
			t.Errorf("%s: a total of %d, %v", field, p.Total, err)
		}
	}
}
