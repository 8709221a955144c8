package reminder

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// Entry is one reminder: whom to call, and from when.
type Entry struct {
	Key  []byte // as stored
	Due  time.Time
	Kind string
	ID   string
}

// ErrKey says that a qualifier is no reminder.
var ErrKey = errors.New("reminder: not a reminder's key")

// Key is the stored form: due in big-endian microseconds, kind, grain, epoch and
// nonce of the activation. It sorts by due, and is never put again after its
// delete. Neither kind nor id has a zero byte in it.
func Key(due time.Time, kind, id string, epoch uint32, nonce []byte) []byte {
	k := binary.BigEndian.AppendUint64(nil, uint64(due.UnixMicro()))
	k = append(append(k, kind...), 0)
	k = append(append(k, id...), 0)
	k = binary.BigEndian.AppendUint32(k, epoch)
	return append(k, nonce...)
}

// Parse reads a key.
func Parse(key []byte) (Entry, error) {
	if len(key) < 8 {
		return Entry{}, ErrKey
	}
	e := Entry{Key: key, Due: time.UnixMicro(int64(binary.BigEndian.Uint64(key))).UTC()}
	kind, rest, ok := bytes.Cut(key[8:], []byte{0})
	id, epoch, ok2 := bytes.Cut(rest, []byte{0})
	if !ok || !ok2 || len(kind) == 0 || len(id) == 0 || len(epoch) < 4 {
		return Entry{}, ErrKey
	}
	e.Kind, e.ID = string(kind), string(id)
	return e, nil
}

// State remembers whom the bucket has called, so that one that cannot be reached
// is not called at every tick. The entries themselves are in the row.
type State struct {
	next  map[string]call // by key
	fresh bool            // nothing was read yet
}

type call struct {
	at    time.Time
	pause time.Duration
}

// Pauses between calls of one entry.
const (
	firstPause = 5 * time.Second
	maxPause   = 5 * time.Minute
)

// New is a bucket of which nothing was read. Its first tick calls every entry,
// due or not: whoever put it may be gone.
func New() *State { return &State{next: map[string]call{}, fresh: true} }

// Horizon is the end of the range that a tick reads.
func (s *State) Horizon(now time.Time) []byte {
	if s.fresh {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, uint64(now.UnixMicro())+1)
}

// Tick takes the entries up to the horizon and returns whom to call now. Entries
// that are gone are forgotten.
func (s *State) Tick(entries []Entry, now time.Time) []Entry {
	s.fresh = false
	seen := make(map[string]call, len(entries))
	var out []Entry
	for _, e := range entries {
		c, known := s.next[string(e.Key)]
		if !known || !now.Before(c.at) {
			c.pause = min(max(2*c.pause, firstPause), maxPause)
			c.at = now.Add(c.pause)
			out = append(out, e)
		}
		seen[string(e.Key)] = c
	}
	s.next = seen
	slices.SortFunc(out, func(a, b Entry) int { return bytes.Compare(a.Key, b.Key) })
	return out
}
