package actors

import (
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// A draft that waits to be sent is no part of a job: the mailbox comes to rest
// while its room cannot be reached.
func TestSendingAsksForNoParts(t *testing.T) {
	ana := accountID("ana")
	s := newStage(t, newMemory(), ana, 1, 1, 1<<30)
	defer s.end()
	c := cmd(ana, "draft")
	id := testSecret.Message(c.ID, "draft")
	to := []parley.Recipient{{Account: accountID("bo")}}
	write := mailbox.WriteDraft{Cmd: c, ID: id, New: true, Kind: parley.KindRoom, NewThread: testSecret.Thread(c.ID), To: &to,
		Text: &mailbox.DraftText{Text: "hello", Size: 5}}
	for _, command := range []any{write, mailbox.SendDraft{Cmd: cmd(ana, "send"), ID: id}} {
		got, err := s.do(command)
		if err != nil || got[0].err != nil {
			t.Fatal(err, got)
		}
	}
	if s.state.Sending() != 1 {
		t.Fatalf("%d drafts are being sent, want 1", s.state.Sending())
	}
	steps := 0
	for s.step() {
		if steps++; steps > 1000 {
			t.Fatal("the mailbox never comes to rest")
		}
	}
}
