package mailbox

import (
	"bytes"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/tree"
)

// list is one sorted index.
type list struct{ tree.Tree }

// bounds is a page asked for: from a key in one direction.
type bounds struct {
	from      []byte // nil: from the end that the direction starts at
	back      bool
	inclusive bool
	limit     int
}

// maxScan bounds the keys that one request looks at when it has to filter.
const maxScan = 1000

func window(p parley.Page) (bounds, error) {
	b := bounds{limit: p.Limit, back: p.End || p.Before != ""}
	if b.limit <= 0 || b.limit > parley.MaxPage {
		b.limit = parley.DefaultPage
	}
	c := p.After + p.Before
	if c == "" {
		return b, nil
	}
	var err error
	b.from, err = parseCursor(c)
	return b, err
}

// number is the page of a number, from 1, of one list.
func (b bounds) number(l list, n int) taken {
	keys, rest := l.Page((n-1)*b.limit, b.limit), ""
	if n*b.limit < l.Len() && len(keys) > 0 {
		rest = cursor(keys[len(keys)-1])
	}
	return b.arrange([]list{l}, keys, rest)
}

// centre is the page of limit keys with key in the middle.
func (t *tx) centre(lists []list, key []byte, limit int) bounds {
	before := bounds{from: key, back: true, limit: limit / 2}.merge(lists, limit/2)
	if len(before) == 0 {
		return bounds{from: key, inclusive: true, limit: limit}
	}
	return bounds{from: before[len(before)-1], inclusive: true, limit: limit}
}

// taken is a page found, in list order, and the keys to go on from.
type taken struct {
	keys       [][]byte
	next, prev string
}

// take collects a page of the union of lists that pass the filter. It looks at
// runs of growing length, and no further than one in which pages are missing: so
// what a filter leaves out costs few rounds of loading, and few pages too many.
func (t *tx) take(b bounds, lists []list, pass func([]byte) bool) taken {
	var out taken
	scanned, more := 0, true
	at := b
	for run := b.limit + 1; len(out.keys) <= b.limit && more && scanned < maxScan && !t.lacks(); run *= 2 {
		keys := at.merge(lists, min(run, maxScan-scanned))
		more = len(keys) == min(run, maxScan-scanned)
		for _, key := range keys {
			scanned++
			if pass(key) {
				out.keys = append(out.keys, key)
			}
			if at.from, at.inclusive = key, false; len(out.keys) > b.limit {
				break
			}
		}
	}
	over := len(out.keys) > b.limit
	if over {
		out.keys = out.keys[:b.limit]
	}
	// A scan that was cut goes on from the last key looked at.
	rest := ""
	switch {
	case over:
		rest = cursor(out.keys[len(out.keys)-1])
	case more && at.from != nil:
		rest = cursor(at.from)
	}
	return b.arrange(lists, out.keys, rest)
}

// arrange puts the keys in list order and finds out whether something is on the other side.
func (b bounds) arrange(lists []list, keys [][]byte, rest string) taken {
	out := taken{keys: keys}
	if len(keys) == 0 {
		out.next, out.prev = rest, ""
		if b.back {
			out.next, out.prev = "", rest
		}
		return out
	}
	other := bounds{from: keys[0], back: !b.back, limit: 1}
	behind := ""
	if len(other.merge(lists, 1)) > 0 {
		behind = cursor(keys[0])
	}
	if b.back {
		slices.Reverse(out.keys)
		out.next, out.prev = behind, rest
	} else {
		out.next, out.prev = rest, behind
	}
	return out
}

// merge is the next limit keys of the union of lists in the direction asked for.
func (b bounds) merge(lists []list, limit int) [][]byte {
	var all [][]byte
	for _, l := range lists {
		if b.back {
			all = append(all, l.Descend(b.from, b.inclusive, limit)...)
		} else {
			all = append(all, l.Ascend(b.from, b.inclusive, limit)...)
		}
	}
	if len(lists) > 1 {
		slices.SortFunc(all, func(x, y []byte) int {
			if b.back {
				x, y = y, x
			}
			return bytes.Compare(x, y)
		})
		all = slices.CompactFunc(all, bytes.Equal)
	}
	return all[:min(limit, len(all))]
}
