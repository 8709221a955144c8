package embedded

import (
	"bytes"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/parley-im/parley/persistence"
)

// A cell is one Pebble key:
//
//	table byte ‖ framed row ‖ family byte ‖ qualifier
//
// The frame writes 0x00 as 0x00 0xff and ends with 0x00 0x01, so that no framed
// row is a prefix of another and rows sort by their bytes. The qualifier stands
// as it is, being last. Row 2a 00 'x' of table mailbox, family l, qualifier 00 07:
//
//	6d | 2a 00 ff 78 | 00 01 | 6c | 00 07
//	m    row           end     l    qualifier
//
// The value is 8 bytes of big-endian version, then the cell's value. Family byte
// 0x00 with no qualifier is the row's high-water record: the highest version
// ever put. A row with a high-water record has at least one cell.
//
// Keys that start with 0x00 are the store's own.

const (
	escape    = 0x00
	escaped   = 0xff // escape, escaped: a 0x00 of the row
	frameEnd  = 0x01 // escape, frameEnd: the end of the row
	frameNext = 0x02 // sorts behind every key of the row

	highWater = 0x00 // in place of a family
)

// layoutKey holds the version of this layout, one byte.
var layoutKey = []byte{0x00, 'l', 'a', 'y', 'o', 'u', 't'}

const layoutVersion = 1

var tableBytes = map[persistence.Table]byte{
	persistence.Mailbox:   'm',
	persistence.Thread:    't',
	persistence.Archive:   'a',
	persistence.Directory: 'd',
	persistence.Account:   'u',
	persistence.Reminder:  'r',
}

var familyBytes = map[persistence.Family]byte{
	persistence.Log:    'l',
	persistence.Meta:   'm',
	persistence.Search: 's',
	persistence.Arch:   'a',
	persistence.Dir:    'd',
	persistence.Remind: 'r',
}

// rowKey is the prefix of all keys of a row.
func rowKey(table byte, row []byte) []byte {
	key := make([]byte, 0, 1+len(row)+2+8)
	key = append(key, table)
	for {
		i := bytes.IndexByte(row, escape)
		if i < 0 {
			break
		}
		key = append(append(key, row[:i]...), escape, escaped)
		row = row[i+1:]
	}
	return append(append(key, row...), escape, frameEnd)
}

// cellKey appends a cell to the key of its row. It never writes into row.
func cellKey(row []byte, family byte, qualifier []byte) []byte {
	key := make([]byte, 0, len(row)+1+len(qualifier))
	return append(append(append(key, row...), family), qualifier...)
}

// afterRow is the lowest key behind all keys of a row.
func afterRow(row []byte) []byte {
	next := bytes.Clone(row)
	next[len(next)-1] = frameNext
	return next
}

// rowLen is the length of the row's part of a key: up to the end of the frame,
// or all of it if it has none.
func rowLen(key []byte) int {
	for at := min(1, len(key)); ; { // behind the table byte
		i := bytes.IndexByte(key[at:], escape)
		if i < 0 || at+i+1 >= len(key) {
			return len(key)
		}
		switch at += i + 2; key[at-1] {
		case escaped:
		case frameEnd:
			return at
		default:
			return len(key)
		}
	}
}

// rowOf undoes rowKey.
func rowOf(key []byte) ([]byte, error) {
	n := rowLen(key)
	if !isRow(key[:n]) {
		return nil, fmt.Errorf("embedded: malformed key %x", key)
	}
	return bytes.ReplaceAll(key[1:n-2], []byte{escape, escaped}, []byte{escape}), nil
}

// isRow tells a row's part that ends with its frame from one that just ends.
func isRow(part []byte) bool {
	n := len(part)
	return n >= 3 && part[n-2] == escape && part[n-1] == frameEnd
}

// comparer orders keys by their bytes and tells Pebble which part is the row,
// so that a bloom filter answers whether a table of any level knows the row.
// Its name is part of the format on disk.
var comparer = func() *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Name = "parley.rows.1"
	c.Split = rowLen
	c.ImmediateSuccessor = func(dst, prefix []byte) []byte {
		if isRow(prefix) {
			return append(append(dst, prefix[:len(prefix)-1]...), frameNext)
		}
		return append(append(dst, prefix...), 0)
	}
	return &c
}()
