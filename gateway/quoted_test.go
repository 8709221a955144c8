package gateway

import (
	"reflect"
	"testing"

	"github.com/parley-im/parley"
)

// TestQuoted: a mail tells what of it may be folded, in a list by what stands before it
// too; a post of a room and what is gone do not.
func TestQuoted(t *testing.T) {
	h := newHarness(t, nil)
	reply, bare := idOf[parley.MessageID]("msg_", "reply"), idOf[parley.MessageID]("msg_", "bare")
	const asked = "Where shall we meet, and when is it dark?"
	mail := func(id parley.MessageID, text string) parley.Message {
		return parley.Message{ID: id, Thread: invoice, Channel: parley.ChannelMail, Text: text, At: noon, ReceivedAt: noon, Revision: 7}
	}
	h.mu.Lock()
	h.messages[h.find(bill)].Text = asked
	h.messages[h.find(purged)].Text = "a\n-- \nb"
	h.messages[h.find(hello)].Text = "a\n-- \nb"
	h.messages = append(h.messages, mail(reply, "Here.\n\n"+asked+"\n\n-- \nAna"),
		mail(bare, "There.\n\nOn Tue, Jan 5, 2016 at 12:34, Bo <bo@example.net> wrote:\n> Here."))
	h.mu.Unlock()
	type told struct {
		Text   string
		Quoted []quoted
	}
	one := func(id parley.MessageID) (m told) {
		h.want(200, "", "GET", "/v1/messages/"+string(id), "", asAna).into(t, &m)
		return m
	}
	if got, want := one(bare).Quoted, []quoted{{"history", 2, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := one(reply).Quoted, []quoted{{"signature", 4, 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("alone: got %v, want %v", got, want)
	}
	if m := one(hello); m.Quoted != nil || m.Text != "a\n-- \nb" {
		t.Errorf("of a room: got %+v", m)
	}
	var list struct{ Data []told }
	h.want(200, "", "GET", "/v1/threads/"+string(invoice)+"/messages", "", asAna).into(t, &list)
	want := [][]quoted{nil, nil, {{"history", 2, 1}, {"signature", 4, 2}}, {{"history", 2, 2}}}
	for i, m := range list.Data {
		if !reflect.DeepEqual(m.Quoted, want[i]) {
			t.Errorf("message %d %q: got %v, want %v", i, m.Text, m.Quoted, want[i])
		}
	}
	if len(list.Data) != len(want) {
		t.Errorf("%d messages", len(list.Data))
	}
}
