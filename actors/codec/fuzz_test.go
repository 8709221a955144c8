package codec

import (
	"slices"
	"testing"

	"github.com/parley-im/parley/actors/codec/filled"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// What is read from any bytes can be stored, and is then read as the same.
func again[T any](t *testing.T, v T, err error, encode func(T) ([]byte, error), decode func([]byte) (T, error)) {
	if err == nil {
		same(t, v, encode, decode)
	}
}

// seeds adds the encodings of a few values.
func seeds(f *testing.F, add func(c filled.Config) error) {
	f.Helper()
	for seed := range uint64(4) {
		if err := add(values(seed, seed == 0)); err != nil {
			f.Fatal(err)
		}
	}
}

func FuzzAction(f *testing.F) {
	seeds(f, func(c filled.Config) error {
		for _, a := range actions(c) {
			b, err := EncodeAction(&a)
			if err != nil {
				return err
			}
			f.Add(b)
		}
		return nil
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := DecodeAction(b)
		again(t, a, err, func(a mailbox.Action) ([]byte, error) { return EncodeAction(&a) }, DecodeAction)
	})
}

func FuzzPage(f *testing.F) {
	seeds(f, func(c filled.Config) error {
		for k, p := range pages(c) {
			b, err := EncodePage(k, p)
			if err != nil {
				return err
			}
			f.Add(string(k), b)
		}
		return nil
	})
	f.Fuzz(func(t *testing.T, key string, b []byte) {
		k := mailbox.Key(key)
		p, err := DecodePage(k, b)
		again(t, p, err, func(p mailbox.Page) ([]byte, error) { return EncodePage(k, p) },
			func(b []byte) (mailbox.Page, error) { return DecodePage(k, b) })
	})
}

func FuzzEvent(f *testing.F) {
	seeds(f, func(c filled.Config) error {
		e := filled.Value[thread.Event](c)
		b, err := EncodeEvent(&e)
		f.Add(b)
		return err
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := DecodeEvent(b)
		again(t, e, err, func(e thread.Event) ([]byte, error) { return EncodeEvent(&e) }, DecodeEvent)
	})
}

func FuzzThreadPage(f *testing.F) {
	seeds(f, func(c filled.Config) error {
		for k, p := range threadPages(c) {
			b, err := EncodeThreadPage(k, p)
			if err != nil {
				return err
			}
			f.Add(k, b)
		}
		return nil
	})
	f.Fuzz(func(t *testing.T, k string, b []byte) {
		p, err := DecodeThreadPage(k, b)
		again(t, p, err, func(p thread.Page) ([]byte, error) { return EncodeThreadPage(k, p) },
			func(b []byte) (thread.Page, error) { return DecodeThreadPage(k, b) })
	})
}

func FuzzFenceAndMark(f *testing.F) {
	seeds(f, func(c filled.Config) error {
		f.Add(slices.Concat(EncodeFence(filled.Value[Fence](c)), EncodeMark(filled.Value[Mark](c))))
		f.Add(EncodeSegment(filled.Value[Segment](c)))
		return nil
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		fence, err := DecodeFence(b)
		again(t, fence, err, func(f Fence) ([]byte, error) { return EncodeFence(f), nil }, DecodeFence)
		mark, err := DecodeMark(b)
		again(t, mark, err, func(m Mark) ([]byte, error) { return EncodeMark(m), nil }, DecodeMark)
		segment, err := DecodeSegment(b)
		again(t, segment, err, func(s Segment) ([]byte, error) { return EncodeSegment(s), nil }, DecodeSegment)
	})
}
