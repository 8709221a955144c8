package codec

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec/filled"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/tree"
)

const rounds = 100

// every draws with many seeds; the first fills every field.
func every(t *testing.T, check func(t *testing.T, c filled.Config)) {
	t.Helper()
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { check(t, values(seed, seed == 0)) })
	}
}

// same compares what came back, and that it has the same bytes again.
func same[T any](t *testing.T, want T, encode func(T) ([]byte, error), decode func([]byte) (T, error)) {
	t.Helper()
	b, err := encode(want)
	if err != nil {
		t.Fatalf("encode %+v: %v", want, err)
	}
	got, err := decode(b)
	if err != nil {
		t.Fatalf("decode %x: %v", b, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	again, err := encode(got)
	if err != nil || !bytes.Equal(again, b) {
		t.Fatalf("again: got %x, %v\nwant %x", again, err, b)
	}
}

func TestFenceAndMarkComeBack(t *testing.T) {
	every(t, func(t *testing.T, c filled.Config) {
		same(t, filled.Value[Fence](c), func(f Fence) ([]byte, error) { return EncodeFence(f), nil }, DecodeFence)
		same(t, filled.Value[Mark](c), func(m Mark) ([]byte, error) { return EncodeMark(m), nil }, DecodeMark)
	})
}

// actions draws one of each kind.
func actions(c filled.Config) (all []mailbox.Action) {
	drawn := filled.Value[mailbox.Action](c)
	for i := range reflect.TypeFor[mailbox.Action]().NumField() {
		a := drawn
		v := reflect.ValueOf(&a).Elem()
		if !isKind(v.Type().Field(i)) || v.Field(i).IsNil() {
			continue
		}
		for n := range v.NumField() {
			if n != i && isKind(v.Type().Field(n)) {
				v.Field(n).SetZero()
			}
		}
		all = append(all, a)
	}
	return all
}

func isKind(f reflect.StructField) bool {
	return f.Type.Kind() == reflect.Pointer && f.Name != "Key" && f.Name != "Undoing"
}

func TestActionsComeBack(t *testing.T) {
	every(t, func(t *testing.T, c filled.Config) {
		for _, a := range actions(c) {
			same(t, a, func(a mailbox.Action) ([]byte, error) { return EncodeAction(&a) }, DecodeAction)
		}
	})
}

func TestEventsComeBack(t *testing.T) {
	every(t, func(t *testing.T, c filled.Config) {
		same(t, filled.Value[thread.Event](c), func(e thread.Event) ([]byte, error) { return EncodeEvent(&e) }, DecodeEvent)
	})
}

// pages are one of each kind, with its key.
func pages(c filled.Config) map[mailbox.Key]mailbox.Page {
	m, th := filled.Value[mailbox.Message](c), filled.Value[mailbox.Thread](c)
	hash := filled.Value[mailbox.Hash](c)
	block := filled.Value[mailbox.BlockPage](c)
	return map[mailbox.Key]mailbox.Page{
		"h":                                fill[mailbox.Header](c),
		mailbox.Key("t") + key(th.ID):      &th,
		"tanother":                         fill[mailbox.Thread](c),
		"othr_x":                           fill[mailbox.Roster](c),
		mailbox.Key("e") + key(m.ID):       &m,
		"eanother":                         fill[mailbox.Message](c),
		mailbox.Key("r" + string(hash[:])): fill[mailbox.Node](c),
		mailbox.Key("k" + string(hash[:])): fill[mailbox.Remembered](c),
		"bblb_x":                           fill[mailbox.Blob](c),
		mailbox.Key("c" + string(hash[:])): fill[mailbox.Contact](c),
		"f":                                fill[mailbox.FolderTree](c),
		"jjob_x":                           fill[mailbox.Job](c),
		"iTinbox/a\x00\x00\x00\x00\x00":    &block,
		"iTinbox/u\x00\x00\x00\x00\x00":    &mailbox.BlockPage{Block: &tree.Block{Leaf: true}},
	}
}

func key[T ~string](id T) mailbox.Key { return mailbox.Key(id) }

func fill[T any](c filled.Config) *T {
	v := filled.Value[T](c)
	return &v
}

func TestPagesComeBack(t *testing.T) {
	every(t, func(t *testing.T, c filled.Config) {
		for k, p := range pages(c) {
			same(t, p, func(p mailbox.Page) ([]byte, error) { return EncodePage(k, p) },
				func(b []byte) (mailbox.Page, error) { return DecodePage(k, b) })
		}
	})
}

func threadPages(c filled.Config) map[string]thread.Page {
	return map[string]thread.Page{
		thread.KeyRoom:         fill[thread.RoomPage](c),
		thread.KeyStamps:       fill[thread.StampsPage](c),
		thread.KeyParts:        fill[thread.PartsPage](c),
		thread.KeyCursors:      fill[thread.CursorsPage](c),
		thread.KeyChunk + "12": fill[thread.KeysPage](c),
	}
}

func TestThreadPagesComeBack(t *testing.T) {
	every(t, func(t *testing.T, c filled.Config) {
		for k, p := range threadPages(c) {
			same(t, p, func(p thread.Page) ([]byte, error) { return EncodeThreadPage(k, p) },
				func(b []byte) (thread.Page, error) { return DecodeThreadPage(k, b) })
		}
	})
}

// The quick forms of ids are those of package parley.
func TestIDsAreParleys(t *testing.T) {
	for seed := range uint64(500) {
		c := values(seed, false)
		text := string(filled.Value[parley.MessageID](c))
		raw, err := parley.ParseID(parley.MessagePrefix, text)
		b, ok := parseID(parley.MessagePrefix, text)
		if ok != (err == nil) || ok && !bytes.Equal(b, raw[:]) {
			t.Errorf("%q: got %x, %t; want %x, %v", text, b, ok, raw, err)
		}
		if ok && formatID(parley.MessagePrefix, b) != text {
			t.Errorf("%q: printed as %q", text, formatID(parley.MessagePrefix, b))
		}
	}
}
