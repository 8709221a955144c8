package codec

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec/filled"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/actors/tree"
)

type draw = func(*rand.Rand) any

// values draws everything that is stored. full fills every field.
func values(seed uint64, full bool) filled.Config {
	return filled.Config{
		Seed: seed, Full: full,
		// Changed.Replace: nil leaves the folders alone.
		Empty: map[string]bool{
			"Changed.Replace": true, "Changed.Labels": true, "Thread.First": true, "Thread.Newest": true,
			"Reached.Thread": true, "Reached.After": true,
		},
		Draw: map[reflect.Type]draw{
			reflect.TypeFor[parley.AccountID](): id(parley.AccountPrefix, full),
			reflect.TypeFor[parley.PartID]():    id(parley.PartPrefix, full),
			reflect.TypeFor[parley.ThreadID]():  id(parley.ThreadPrefix, full),
			reflect.TypeFor[parley.MessageID](): id(parley.MessagePrefix, full),
			reflect.TypeFor[parley.BlobID]():    id(parley.BlobPrefix, full),
			reflect.TypeFor[parley.JobID]():     id(parley.JobPrefix, full),
			reflect.TypeFor[parley.JobKind]():   one(jobKinds, full),
			reflect.TypeFor[parley.JobState]():  one(jobStates, full),
			reflect.TypeFor[parley.Format]():    one(formats, full),
			reflect.TypeFor[mailbox.Switch]():   func(r *rand.Rand) any { return 1 + r.IntN(2) },
			reflect.TypeFor[mailbox.ThreadOp](): func(r *rand.Rand) any { return 1 + r.IntN(2) },
			reflect.TypeFor[parley.Kind]():      one(kinds, full),
			reflect.TypeFor[parley.Channel]():   one(channels, full),
			reflect.TypeFor[parley.History]():   one(histories, full),
			reflect.TypeFor[parley.Role]():      one(roles, full),
			reflect.TypeFor[parley.PartState](): one(states, full),
			reflect.TypeFor[parley.Notice]():    one(notices, full),
			reflect.TypeFor[parley.Signal]():    one(signals, full),
			reflect.TypeFor[parley.FolderID]():  one(append(slices.Clone(folders), "fld_mine", "a"), full),
			reflect.TypeFor[parley.Keyword]():   one(append(slices.Clone(keywords), "$mdnsent", "todo"), full),
			reflect.TypeFor[thread.Type]():      func(r *rand.Rand) any { return 1 + r.IntN(7) },
			reflect.TypeFor[*tree.Block]():      func(r *rand.Rand) any { return block(r, 1+r.IntN(9)) },
		},
	}
}

// id draws canonical ones and, unless full, others.
func id(prefix string, full bool) draw {
	return func(r *rand.Rand) any {
		raw := raw16(r)
		switch {
		case full:
		case r.IntN(6) == 0:
			return [...]string{"", "m1", "0123456789abcde", "0123456789abcdef", prefix, "\x00", "a\x00"}[r.IntN(7)]
		case r.IntN(6) == 0: // almost canonical
			return parley.FormatID(prefix, raw)[:len(prefix)+25] + "7"
		}
		return parley.FormatID(prefix, raw)
	}
}

func raw16(r *rand.Rand) (b [16]byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func one[T ~string](words []T, full bool) draw {
	return func(r *rand.Rand) any {
		if full {
			return words[1+r.IntN(len(words)-1)]
		}
		return words[r.IntN(len(words))]
	}
}

// block draws a leaf or an inner block of n keys that passes Check.
func block(r *rand.Rand, n int) *tree.Block {
	var keys [][]byte
	for range n {
		key := bytes.Repeat([]byte{7}, r.IntN(48))
		for range 1 + r.IntN(16) {
			key = append(key, byte(r.IntN(4)))
		}
		keys = append(keys, key)
	}
	slices.SortFunc(keys, bytes.Compare)
	b := &tree.Block{Leaf: r.IntN(2) == 0, Keys: slices.CompactFunc(keys, bytes.Equal), Next: r.Uint32()}
	for range len(b.Keys) + 1 {
		if !b.Leaf {
			b.Children = append(b.Children, 1+r.Uint32N(1e6))
			b.Counts = append(b.Counts, r.Uint64N(1e6))
		}
	}
	return b
}
