package reminder

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestKeysComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return r != 0 })).Filter(func(s string) bool { return s != "" })
		due := noon.Add(time.Duration(rapid.Int64Range(-1e15, 1e17).Draw(t, "due")))
		want := Entry{Due: due.Truncate(time.Microsecond), Kind: name.Draw(t, "kind"), ID: name.Draw(t, "id")}
		want.Key = Key(due, want.Kind, want.ID, rapid.Uint32().Draw(t, "epoch"), rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "nonce"))
		got, err := Parse(want.Key)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %v, %v\nwant %v", got, err, want)
		}
		later := Key(due.Add(time.Microsecond), "a", "a", 0, nil)
		if bytes.Compare(want.Key, later) >= 0 {
			t.Fatalf("%x does not sort before %x, which is due later", want.Key, later)
		}
	})
}

func TestWhatIsNoKey(t *testing.T) {
	whole := Key(noon, "mailbox", "acc_x", 1, []byte("nonce"))
	for name, key := range map[string][]byte{
		"nothing": nil, "seven bytes": whole[:7], "due alone": whole[:8], "no id": whole[:8+len("mailbox\x00")],
		"an id cut": whole[:8+len("mailbox\x00acc")], "an epoch cut": whole[:8+len("mailbox\x00acc_x\x00")+3],
		"an empty kind": Key(noon, "", "acc_x", 1, nil), "an empty id": Key(noon, "mailbox", "", 1, nil),
	} {
		if e, err := Parse(key); err != ErrKey {
			t.Errorf("%s: got %+v, %v", name, e, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Key(noon, "mailbox", "acc_x", 1, []byte("nonce")))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00k\x00i\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, key []byte) {
		e, err := Parse(key)
		if err != nil {
			return
		}
		if strings.ContainsRune(e.Kind+e.ID, 0) || e.Kind == "" || e.ID == "" || !bytes.HasPrefix(key, Key(e.Due, e.Kind, e.ID, 0, nil)[:8+len(e.Kind)+len(e.ID)+2]) {
			t.Errorf("%x was read as %+v", key, e)
		}
	})
}
