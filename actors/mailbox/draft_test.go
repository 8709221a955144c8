package mailbox_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// drafting is a mailbox with a room and a draft for it.
func drafting(t *testing.T, text string) (*solo, *room, parley.MessageID) {
	t.Helper()
	s := newSolo(t)
	r := newRoom("boats", s.now, "me", "ana")
	s.must(r.bring(0, len(r.seen)))
	id := messageID("a draft")
	s.must(mailbox.WriteDraft{ID: id, New: true, Thread: r.id, Text: &mailbox.DraftText{Text: text}})
	return s, r, id
}

// must decides on both twins, with what is blanked.
func (s *solo) must(cmd any) {
	s.t.Helper()
	if _, err := s.do(cmd, s.now); err != nil {
		s.t.Fatalf("%+v: %v", cmd, err)
	}
}

// What a draft said before leaves the log as soon as it says something else, and
// the rest with the draft.
func TestDraftsLeaveNoWords(t *testing.T) {
	s, r, id := drafting(t, "taint one")
	file := mailbox.Attachment{Attachment: parley.Attachment{Blob: fileID("f"), Name: "taintfile"}, Digest: digest("f")}
	for i, c := range []mailbox.WriteDraft{
		{Text: &mailbox.DraftText{Text: "taint two"}},
		{Attachments: &[]mailbox.Attachment{file}}, // the text stays where it is
		{Mentions: &[]parley.PartID{partID("ana")}},
		{Text: &mailbox.DraftText{Text: "taint three"}},
	} {
		c.ID = id
		s.must(c)
		if got, want := s.tainted(s.log), []int{1, 2, 2, 1}[i]; got != want {
			t.Errorf("after change %d %d actions hold what it says, want %d", i, got, want)
		}
	}
	s.must(mailbox.SendDraft{ID: id})
	r.happen(thread.Event{Type: thread.Posted, Actor: author("me"), Message: id, Text: "taint sent", TextSize: 10}, s.now)
	s.must(r.bring(0, len(r.seen)))
	if got := s.tainted(s.log); got != 1 {
		t.Errorf("once it is sent %d actions hold it, want the post alone", got)
	}
	other := messageID("another")
	s.must(mailbox.WriteDraft{ID: other, New: true, NewThread: threadID("its own"), Kind: parley.KindRoom, Subject: new("taint"), Text: &mailbox.DraftText{Text: "taint"}})
	s.must(mailbox.DiscardDraft{ID: other})
	for range 2 {
		s.must(mailbox.DeleteMessage{Message: id})
	}
	if got, pages := s.tainted(s.log), s.pagesTainted(); got > 0 || pages > 0 {
		t.Errorf("%d actions and %d pages still have words of what is gone", got, pages)
	}
	s.settle()
}

func TestDraftEvents(t *testing.T) {
	s, r, id := drafting(t, "one")
	s.must(mailbox.WriteDraft{ID: id, Text: &mailbox.DraftText{Text: "two"}})
	s.must(mailbox.SendDraft{ID: id})
	r.happen(thread.Event{Type: thread.Posted, Actor: author("me"), Message: id, Text: "two", TextSize: 3}, s.now)
	s.must(r.bring(0, len(r.seen)))
	other := messageID("another")
	s.must(mailbox.WriteDraft{ID: other, New: true, NewThread: threadID("its own"), Kind: parley.KindRoom})
	s.must(mailbox.WriteDraft{ID: other, Subject: new("boats")})
	s.must(mailbox.DiscardDraft{ID: other})
	var told []string
	for _, raw := range s.log[1:] {
		a := s.decoded(raw)
		var all []string
		for _, e := range a.Events() {
			if strings.HasPrefix(string(e.Type), "draft.") && e.Message != id && e.Message != other {
				t.Errorf("event %+v is of no draft", e)
			}
			all = append(all, string(e.Type))
		}
		told = append(told, strings.Join(all[:len(all)-1], " "))
	}
	want := []string{
		"draft.created thread.updated", "draft.updated", "draft.updated", "draft.removed message.created thread.updated",
		"draft.created thread.updated", "draft.updated thread.updated", "draft.removed thread.removed",
	}
	if got := strings.Join(told, "; "); got != strings.Join(want, "; ") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, "; "))
	}
}

func TestDraftsAreBounded(t *testing.T) {
	s, r, id := drafting(t, "one")
	long := strings.Repeat("x", thread.MaxInlineText+1)
	for what, c := range map[string]struct {
		mailbox.WriteDraft
		code parley.Code
	}{
		"a long text":      {mailbox.WriteDraft{ID: id, Text: &mailbox.DraftText{Text: long}}, parley.TooLarge},
		"too many files":   {mailbox.WriteDraft{ID: id, Attachments: new(make([]mailbox.Attachment, thread.MaxAttachments+1))}, parley.BadRequest},
		"a long subject":   {mailbox.WriteDraft{ID: messageID("own"), New: true, NewThread: threadID("own"), Subject: &long}, parley.BadRequest},
		"a made up kind":   {mailbox.WriteDraft{ID: messageID("own"), New: true, NewThread: threadID("own"), Kind: "sms"}, parley.BadRequest},
		"a subject":        {mailbox.WriteDraft{ID: id, Subject: new("of a room")}, parley.BadRequest},
		"a strange answer": {mailbox.WriteDraft{ID: id, ReplyTo: new(messageID("unknown"))}, parley.BadContent},
	} {
		if _, err := s.whole.Decide(c.WriteDraft, s.now); parley.CodeOf(err) != c.code || err == nil {
			t.Errorf("%s: got %v, want code %d", what, err, c.code)
		}
	}
	if _, err := s.whole.Decide(mailbox.ChangeMessages{Messages: []parley.MessageID{id}, Change: parley.Change{Seen: new(false)}}, s.now); parley.CodeOf(err) != parley.BadRequest {
		t.Errorf("a draft changed as a message: %v", err)
	}
	for i := range parley.MaxDrafts - 1 {
		s.grow(mailbox.WriteDraft{ID: messageID("draft", i), New: true, Thread: r.id}, s.now)
	}
	if _, err := s.whole.Decide(mailbox.WriteDraft{ID: messageID("more"), New: true, Thread: r.id}, s.now); parley.CodeOf(err) != parley.OverQuota {
		t.Errorf("one too many: %v", err)
	}
	if st, err := s.whole.Stats(s.now); err != nil || st.Messages != parley.MaxDrafts {
		t.Errorf("got %s, %v", fmt.Sprint(st.Messages), err)
	}
}

// A thread that a draft is to make is of a kind that is known when that is sent: it
// takes no other draft, which would say that it is for mail. One that mail has left
// does.
func TestNoDraftBesideOneThatMakesItsThread(t *testing.T) {
	s := newSolo(t)
	own := threadID("its own")
	s.must(mailbox.WriteDraft{ID: messageID("first"), New: true, NewThread: own, Kind: parley.KindRoom})
	second := mailbox.WriteDraft{ID: messageID("second"), New: true, Thread: own, NewThread: threadID("second")}
	if _, err := s.do(second, s.now); parley.CodeOf(err) != parley.BadRequest {
		t.Errorf("got %v, want a refusal", err)
	}
	mail, err := s.do(letter{id: "one", from: "ana@out", text: "hi", at: s.now}.command(), s.now)
	if err != nil {
		t.Fatal(err)
	}
	third := mailbox.WriteDraft{ID: messageID("third"), New: true, Thread: mail.Thread, NewThread: threadID("third")}
	s.must(third)
	for range 2 { // to Trash, and gone
		s.must(mailbox.DeleteMessage{Message: mail.Messages[0]})
	}
	third.ID = messageID("fourth")
	s.must(third)
}

// Drafts go along when their thread is merged into another, and whoever follows the
// stream is told of each.
func TestMergeTellsOfDrafts(t *testing.T) {
	s := newSolo(t)
	var threads []parley.ThreadID
	for _, id := range []string{"one", "two"} {
		r, err := s.do(letter{id: id, from: "ana@out", text: "hi", at: s.now}.command(), s.now)
		if err != nil {
			t.Fatal(err)
		}
		threads = append(threads, r.Thread)
	}
	id := messageID("a draft")
	s.must(mailbox.WriteDraft{ID: id, New: true, Thread: threads[1], NewThread: threadID("none")})
	d, err := s.once(mailbox.MergeThreads{Thread: threads[0], With: threads[1]}, s.now)
	if err != nil || len(d.Actions) != 1 {
		t.Fatalf("%d actions, %v", len(d.Actions), err)
	}
	for _, e := range d.Actions[0].Events() {
		if e.Type == parley.DraftUpdated && e.Message == id && e.Thread == threads[0] {
			return
		}
	}
	t.Errorf("nothing tells of the draft: %+v", d.Actions[0].Events())
}
