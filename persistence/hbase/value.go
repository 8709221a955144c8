package hbase

import (
	"fmt"
	"slices"
)

// HBase's condition takes a cell with an empty value for one that is absent. So
// no stored value is empty: one that is, or that starts with a zero byte, gets a
// zero byte in front. Any other is stored as it is.

func encodeValue(v []byte) []byte {
	if len(v) > 0 && v[0] != 0 {
		return v
	}
	return append([]byte{0}, v...)
}

// decodeValue copies the value, for the caller to own.
func decodeValue(stored []byte) ([]byte, error) {
	if len(stored) == 0 {
		return nil, fmt.Errorf("hbase: an empty value, which parley never stores")
	}
	if stored[0] == 0 {
		stored = stored[1:]
	}
	return slices.Clip(append([]byte{}, stored...)), nil
}
