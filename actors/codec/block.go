package codec

import (
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/tree"
	"github.com/parley-im/parley/persistence/record"
)

// Keys of a block are sorted, so each is written as how much it shares with the
// front of the key before, how long the rest is, and the rest. Keys are at most
// tree.MaxKey long, so that a byte holds either length.

// block writes only what a reader accepts.
func (w *writer) block(p *mailbox.BlockPage) *record.Block {
	if p.Block == nil {
		w.fail("a page without its block")
		return &record.Block{}
	}
	if err := p.Check(); err != nil {
		w.fail("%w", err)
		return &record.Block{}
	}
	return &record.Block{Keys: packKeys(p.Keys), Children: p.Children, Counts: p.Counts, Next: p.Next}
}

func (r *reader) block(m *record.Block) *mailbox.BlockPage {
	b := &tree.Block{
		Leaf: len(m.GetChildren()) == 0, Keys: r.unpackKeys(m.GetKeys()),
		Children: m.GetChildren(), Counts: m.GetCounts(), Next: m.GetNext(),
	}
	if err := b.Check(); err != nil {
		r.fail("%w", err)
	}
	return &mailbox.BlockPage{Block: b}
}

func packKeys(keys [][]byte) []byte {
	size := 0
	for _, k := range keys {
		size += 2 + len(k)
	}
	out, last := make([]byte, 0, size), []byte(nil)
	for _, k := range keys {
		n := shared(last, k)
		out = append(out, byte(n), byte(len(k)-n))
		out = append(out, k[n:]...)
		last = k
	}
	return out
}

func shared(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// unpackKeys puts all keys into one piece of memory.
func (r *reader) unpackKeys(b []byte) [][]byte {
	count, size, ok := measureKeys(b)
	if !ok {
		r.fail("keys of a block are cut or too long")
		return nil
	}
	if count == 0 {
		return nil
	}
	keys, room := make([][]byte, 0, count), make([]byte, 0, size)
	var last []byte
	for len(b) > 0 {
		from := len(room)
		room = append(room, last[:b[0]]...)
		room = append(room, b[2:2+int(b[1])]...)
		last = room[from:len(room):len(room)]
		keys, b = append(keys, last), b[2+int(b[1]):]
	}
	return keys
}

// measureKeys counts keys and their bytes; false if they cannot be read.
func measureKeys(b []byte) (count, size int, ok bool) {
	last := 0
	for len(b) > 0 {
		if len(b) < 2 || int(b[0]) > last || len(b) < 2+int(b[1]) {
			return 0, 0, false
		}
		last = int(b[0]) + int(b[1])
		if last > tree.MaxKey {
			return 0, 0, false
		}
		count, size, b = count+1, size+last, b[2+int(b[1]):]
	}
	return count, size, true
}
