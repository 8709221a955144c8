package mailbox_test

import (
	"fmt"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// A Message-ID leads to 32 messages at most; others under it are filed all the same.
func TestMessagesUnderOneID(t *testing.T) {
	s := newSolo(t)
	filed := 0
	for _, relay := range []string{"one@out", "two@out"} {
		for i := range 40 {
			if s.ask(letter{id: "same", from: "ana@out", text: fmt.Sprint(i), at: s.now, envelope: relay}.command()).Filed {
				filed++
			}
		}
	}
	if filed != 48 {
		t.Errorf("%d were filed, want 40 and the last 8 twice", filed)
	}
	s.now = s.now.Add(parley.MailKeyLife) // the door has forgotten, the mailbox has not
	for _, relay := range []string{"one@out", "two@out"} {
		for i := range 40 {
			if s.ask(letter{id: "same", from: "ana@out", text: fmt.Sprint(i), at: s.now, envelope: relay}.command()).Filed {
				t.Errorf("message %d by %s came twice", i, relay)
			}
		}
	}
	s.store()
	s.settle()
}

// Threads that double by merging leave a chain of aliases, and each leads to the end.
func TestChainOfAliases(t *testing.T) {
	s := newSolo(t)
	first := s.ask(letter{id: "0", from: "ana@out", at: s.now}.command()).Thread
	var ids []parley.ThreadID
	for level, size := 0, 1; level < 6; level++ {
		root := fmt.Sprint("root ", level)
		var r mailbox.Reply
		for i := range size + 2 {
			r = s.ask(letter{id: fmt.Sprint(root, " ", i), references: []string{root}, from: "ana@out", at: s.now}.command())
		}
		ids = append(ids, r.Thread)
		r = s.ask(letter{id: fmt.Sprint("bridge ", level), replies: []string{"0"}, references: []string{root}, from: "ana@out", at: s.now}.command())
		if size += size + 3; r.Thread != ids[level] {
			t.Fatalf("level %d: the smaller thread kept its id", level)
		}
	}
	last := ids[len(ids)-1]
	for _, id := range append(ids, first) {
		if it, err := s.whole.Thread(id); err != nil || it.Thread.ID != last {
			t.Errorf("%s leads to %+v, %v", id, it.Thread, err)
		}
	}
	s.store()
	s.settle()
}
