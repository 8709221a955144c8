package codec

import (
	"math/rand/v2"
	"testing"

	"github.com/parley-im/parley/actors/mailbox"
)

// benchPages are a post as a copy has it, and a full block of an index.
func benchPages(b *testing.B) map[string]struct {
	key  mailbox.Key
	page mailbox.Page
} {
	s, last := room(b, 3)
	k := mailbox.Key("e" + string(last.Filed.Message.ID))
	full := block(rand.New(rand.NewPCG(1, 0)), 128)
	return map[string]struct {
		key  mailbox.Key
		page mailbox.Page
	}{
		"page=message": {k, s.Pages()[k]},
		"page=block":   {"iTinbox/a\x00\x00\x00\x00\x00", &mailbox.BlockPage{Block: full}},
	}
}

func BenchmarkEncodePage(b *testing.B) {
	for name, p := range benchPages(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := EncodePage(p.key, p.page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodePage(b *testing.B) {
	for name, p := range benchPages(b) {
		cell, err := EncodePage(p.key, p.page)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(cell)))
			for b.Loop() {
				if _, err := DecodePage(p.key, cell); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAction(b *testing.B) {
	_, last := room(b, 3)
	cell, err := EncodeAction(&last)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := EncodeAction(&last); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := DecodeAction(cell); err != nil {
				b.Fatal(err)
			}
		}
	})
}
