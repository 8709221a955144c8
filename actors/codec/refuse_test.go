package codec

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/tree"
	"github.com/parley-im/parley/persistence/record"
)

// A kind of a later version stops a replay.
func TestUnknownKinds(t *testing.T) {
	later := protowire.AppendTag([]byte{0x08, 7}, 1000, protowire.BytesType) // n = 7, kind 1000
	later = protowire.AppendBytes(later, nil)
	for name, b := range map[string][]byte{"none": {}, "number alone": {0x08, 7}, "a later one": later} {
		if _, err := DecodeAction(b); !errors.Is(err, ErrUnknownAction) {
			t.Errorf("action of kind %s: got %v", name, err)
		}
	}
	for _, typ := range []record.EventType{0, 9, 300, -1} {
		if _, err := DecodeEvent(plain(&record.Event{Seq: 7, Type: typ})); !errors.Is(err, ErrUnknownAction) {
			t.Errorf("event of type %d: got %v", typ, err)
		}
	}
	closed := plain(&record.Action{Kind: &record.Action_Closed{Closed: &record.Closed{}}})
	if a, err := DecodeAction(closed); err != nil || a.Closed == nil {
		t.Errorf("a kind without fields: got %+v, %v", a, err)
	}
}

func TestWhatCannotBeStored(t *testing.T) {
	message := func(change func(*mailbox.Message)) error {
		var m mailbox.Message
		change(&m)
		_, err := EncodePage("e", &m)
		return err
	}
	action := func(a mailbox.Action) error { _, err := EncodeAction(&a); return err }
	page := func(k mailbox.Key, p mailbox.Page) error { _, err := EncodePage(k, p); return err }
	room := func(k string, p thread.Page) error { _, err := EncodeThreadPage(k, p); return err }
	event := func(e thread.Event) error { _, err := EncodeEvent(&e); return err }
	for name, err := range map[string]error{
		"a word without number":  message(func(m *mailbox.Message) { m.Channel = "pigeon" }),
		"a signal":               message(func(m *mailbox.Message) { m.Signal = "guess" }),
		"an action of no kind":   action(mailbox.Action{N: 1}),
		"an action of two kinds": action(mailbox.Action{Closed: &mailbox.Closed{}, Purged: &mailbox.Purged{}}),
		"no page":                page("e", nil),
		"a nil page":             page("e", (*mailbox.Message)(nil)),
		"a page of another key":  page("e", &mailbox.Thread{}),
		"a page of no key":       page("", &mailbox.Header{}),
		"no block":               page("i", &mailbox.BlockPage{}),
		"a block out of order":   page("i", &mailbox.BlockPage{Block: &tree.Block{Leaf: true, Keys: [][]byte{{2}, {1}}}}),
		"no page of a room":      room(thread.KeyRoom, nil),
		"another page":           room(thread.KeyRoom, &thread.PartsPage{}),
		"an unknown page":        room("rooms", &thread.RoomPage{}),
		"an event of no type":    event(thread.Event{}),
		"an event of type 9":     event(thread.Event{Type: 9}),
	} {
		if err == nil {
			t.Errorf("%s was stored", name)
		}
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	for name, tc := range map[string]struct {
		key mailbox.Key
		m   proto.Message
	}{
		"no key":                   {"", &record.Header{}},
		"an unknown key":           {"z", &record.Header{}},
		"a word of a later time":   {"e", &record.Message{Channel: 99}},
		"a switch of a later time": {"j", &record.Job{Work: &record.Work{Mute: 3}}},
		"an operation":             {"j", &record.Job{Work: &record.Work{Op: 7}}},
		"a word below all":         {"e", &record.Message{Channel: -1}},
		"a folder of a later time": {"h", &record.Header{Folders: []*record.FolderCounts{{Fixed: 99}}}},
		"a name of a later time":   {"e", &record.Message{Folders: &record.Names{Known: []byte{99}}}},
		"too few names":            {"e", &record.Message{Folders: &record.Names{Known: []byte{0}}}},
		"too many names":           {"e", &record.Message{Folders: &record.Names{Others: []string{"a"}}}},
		"a short digest":           {"e", &record.Message{Content: []byte("short")}},
		"hashes that are cut":      {"e", &record.Message{Nodes: make([]byte, 17)}},
		"a long id":                {"e", &record.Message{Thread: bytes.Repeat([]byte{1}, 17)}},
		"a key that is cut":        {"i", &record.Block{Keys: []byte{0, 3, 1}}},
		"half a key":               {"i", &record.Block{Keys: []byte{0}}},
		"a front that is not":      {"i", &record.Block{Keys: []byte{1, 1, 1}}},
		"a key too long":           {"i", &record.Block{Keys: append([]byte{0, 65}, make([]byte, 65)...)}},
		"an empty key":             {"i", &record.Block{Keys: []byte{0, 0}}},
		"a key twice":              {"i", &record.Block{Keys: []byte{0, 1, 1, 1, 0}}},
		"one child":                {"i", &record.Block{Children: []uint32{1}, Counts: []uint64{1}}},
		"counts missing":           {"i", &record.Block{Keys: []byte{0, 1, 1}, Children: []uint32{1, 2}}},
	} {
		if p, err := DecodePage(tc.key, plain(tc.m)); err == nil {
			t.Errorf("%s was read: %+v", name, p)
		}
	}
	if p, err := DecodeThreadPage(thread.KeyStamps, plain(&record.Stamps{Steps: []uint64{1}})); err == nil {
		t.Errorf("half a run was read: %+v", p)
	}
	if p, err := DecodeThreadPage("rooms", nil); err == nil {
		t.Errorf("an unknown page was read: %+v", p)
	}
	if m, err := DecodeMark(plain(&record.Mark{Generation: 256})); err == nil {
		t.Errorf("a long generation was read: %+v", m)
	}
	for _, m := range []*record.Segment{
		{First: 1, Last: 2, Name: make([]byte, 31)}, {First: 3, Last: 2, Name: make([]byte, 32)}, {Last: 2, Name: make([]byte, 32)},
	} {
		if s, err := DecodeSegment(plain(m)); err == nil {
			t.Errorf("a segment was read: %+v", s)
		}
	}
	for _, b := range [][]byte{{0xff}, {0x0a, 5}} {
		if _, err := DecodeFence(b); err == nil {
			t.Errorf("%x was read", b)
		}
	}
}

// The key names the page: its id is not stored twice.
func TestPagesLeaveOutTheirKey(t *testing.T) {
	id := parley.MessageID(parley.FormatID(parley.MessagePrefix, [16]byte{1}))
	named, err := EncodePage("e"+mailbox.Key(id), &mailbox.Message{ID: id, At: 1, Received: 1})
	if err != nil || len(named) != 2 {
		t.Errorf("got %x, %v; want a number", named, err)
	}
	other, err := EncodePage("e", &mailbox.Message{ID: id, At: 1, Received: 1})
	if err != nil || len(other) != len(named)+18 {
		t.Errorf("got %x, %v; want an id more", other, err)
	}
}

// An empty cell means that there is no page, so no page is one.
func TestNoPageIsEmpty(t *testing.T) {
	for k, p := range map[mailbox.Key]mailbox.Page{
		"h": &mailbox.Header{}, "t": &mailbox.Thread{}, "o": &mailbox.Roster{}, "e": &mailbox.Message{},
		"r": &mailbox.Node{}, "k": &mailbox.Remembered{}, "b": &mailbox.Blob{}, "c": &mailbox.Contact{},
		"i": &mailbox.BlockPage{Block: &tree.Block{Leaf: true}},
	} {
		same(t, p, func(p mailbox.Page) ([]byte, error) { return filledCell(EncodePage(k, p)) },
			func(b []byte) (mailbox.Page, error) { return DecodePage(k, b) })
	}
	for k, p := range map[string]thread.Page{
		thread.KeyRoom: &thread.RoomPage{}, thread.KeyStamps: &thread.StampsPage{}, thread.KeyParts: &thread.PartsPage{},
		thread.KeyCursors: &thread.CursorsPage{}, thread.KeyChunk + "0": &thread.KeysPage{},
	} {
		same(t, p, func(p thread.Page) ([]byte, error) { return filledCell(EncodeThreadPage(k, p)) },
			func(b []byte) (thread.Page, error) { return DecodeThreadPage(k, b) })
	}
}

func filledCell(b []byte, err error) ([]byte, error) {
	if err == nil && len(b) == 0 {
		err = errors.New("an empty cell")
	}
	return b, err
}
