package hbase

import (
	"bytes"
	"testing"
)

// Stored values are never empty, differ where values do, and come back.
func TestValues(t *testing.T) {
	stored := map[string]bool{}
	for _, v := range []string{"", "\x00", "\x00\x00", "\x00a", "a", "a\x00", "\xff"} {
		enc := encodeValue([]byte(v))
		if len(enc) == 0 || stored[string(enc)] {
			t.Errorf("%q is stored as %q, which is empty or another's", v, enc)
		}
		stored[string(enc)] = true
		if got, err := decodeValue(enc); err != nil || !bytes.Equal(got, []byte(v)) || got == nil {
			t.Errorf("%q came back as %q, %v", v, got, err)
		}
	}
	if _, err := decodeValue(nil); err == nil {
		t.Error("an empty stored value was taken")
	}
}

// The common value is stored as it is, without a copy.
func TestValueIsNotCopied(t *testing.T) {
	v := []byte("value")
	if enc := encodeValue(v); &enc[0] != &v[0] {
		t.Error("copied")
	}
}
