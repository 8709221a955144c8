package codec

import (
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// maxPost bounds what a short post in a room costs each copy, its text apart:
// the action and the message's page. Design 12 allows 600 bytes with the indexes.
const maxPost = 256

// A person's id of each kind, as the server makes them.
func idOf(prefix string, n byte) string {
	return parley.FormatID(prefix, [16]byte{n, 2: 0x5a, 9: n, 15: 7})
}

func person(n byte, name string) parley.Participant {
	return parley.Participant{
		ID: parley.PartID(idOf(parley.PartPrefix, n)), Account: parley.AccountID(idOf(parley.AccountPrefix, n)),
		Name: name, Channel: parley.ChannelChat, Role: parley.RoleMember, State: parley.StateIn,
	}
}

const shortText = "Shall we meet at ten?"

// room is the copy of somebody in a room of two, after n posts by the other.
func room(t testing.TB, posts int) (s *mailbox.State, last mailbox.Action) {
	t.Helper()
	ana, bo := person(1, "Ana Sanz"), person(2, "Bo Lindqvist")
	s = mailbox.New(bo.Account)
	at := time.Date(2026, 3, 1, 9, 0, 0, 123456000, time.UTC)
	by := parley.Author{Account: ana.Account, Part: ana.ID, Name: ana.Name}
	both := []parley.Participant{ana, bo}
	events := []thread.Event{{Seq: 1, At: at, Type: thread.Created, Actor: by, Parts: both}}
	for n := range posts {
		at = at.Add(31 * time.Second)
		events = append(events, thread.Event{
			Seq: parley.Seq(n + 2), At: at, Type: thread.Posted, Actor: by, Text: shortText, TextSize: int64(len(shortText)),
			Message: parley.MessageID(parley.FormatID(parley.MessagePrefix, [16]byte{byte(n >> 8), byte(n), 0x5a, 15: 9})),
		})
	}
	for i, e := range events {
		d := thread.Delivery{Event: e, Prev: e.Seq - 1}
		if i == 0 {
			d.Roster = both
		}
		last = deliver(t, s, d, e.At.Add(2*time.Millisecond))
	}
	return s, last
}

// deliver takes one event as the plumbing does, over a store that has nothing.
func deliver(t testing.TB, s *mailbox.State, d thread.Delivery, now time.Time) mailbox.Action {
	t.Helper()
	cmd := mailbox.Deliver{
		Room: parley.ThreadID(idOf(parley.ThreadPrefix, 3)), Deliveries: []thread.Delivery{d},
		Notices: []parley.MessageID{parley.MessageID(idOf(parley.MessagePrefix, 4))},
	}
	for {
		decision, err := s.Decide(cmd, now)
		if need, ok := mailbox.IsNeed(err); ok {
			for _, k := range need.Pages {
				s.Load(k, nil)
			}
			continue
		}
		if err != nil || len(decision.Actions) != 1 {
			t.Fatalf("got %+v, %v; want one action", decision, err)
		}
		if err := s.Apply(decision.Actions[0]); err != nil {
			t.Fatal(err)
		}
		return decision.Actions[0]
	}
}

func TestAPostIsSmall(t *testing.T) {
	s, last := room(t, 500)
	action, err := EncodeAction(&last)
	if err != nil {
		t.Fatal(err)
	}
	k := mailbox.Key("e" + string(last.Filed.Message.ID))
	page, err := EncodePage(k, s.Pages()[k])
	if err != nil {
		t.Fatal(err)
	}
	text := 2 * len(shortText) // in the action, and as the excerpt
	got := len(action) + len(page) - text
	t.Logf("action %d, page %d, of it text %d", len(action), len(page), text)
	if got > maxPost {
		t.Errorf("a post takes %d bytes beside its text; want at most %d", got, maxPost)
	}
}

// Blocks are rewritten often. Their keys, of 24 bytes, share their front with the
// one before; what is left is mostly the random half of an id.
func TestBlocksAreSmall(t *testing.T) {
	s, _ := room(t, 500)
	keys, size := 0, 0
	for k, p := range s.Pages() {
		b, ok := p.(*mailbox.BlockPage)
		if !ok || len(b.Keys) < 50 {
			continue
		}
		cell, err := EncodePage(k, p)
		if err != nil {
			t.Fatal(err)
		}
		keys, size = keys+len(b.Keys), size+len(cell)
	}
	if keys < 300 {
		t.Fatalf("only %d keys in full blocks", keys)
	}
	t.Logf("%d keys in %d bytes", keys, size)
	if got := float64(size) / float64(keys); got > 20 {
		t.Errorf("a key takes %.1f bytes; want at most 20", got)
	}
}

// A room keeps a week of command keys.
func TestCommandKeysAreSmall(t *testing.T) {
	var page thread.KeysPage
	for n := range 128 {
		page.Keys = append(page.Keys, thread.Key{
			Cmd: parley.CommandID{byte(n), 15: 1}, Body: parley.Digest{byte(n), 31: 1}, Seq: parley.Seq(n + 1000),
			Message: parley.MessageID(idOf(parley.MessagePrefix, byte(n))), At: time.UnixMicro(1772355600123456 + int64(n)),
		})
	}
	b, err := EncodeThreadPage(thread.KeyChunk+"0", &page)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(b) / len(page.Keys); got > 86 {
		t.Errorf("the memory of a post's command takes %d bytes; want at most 86", got)
	}
}
