package thread

import (
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// chunkKeys is how many command keys share a page.
const chunkKeys = 128

// keySlack covers an edge whose clock, which stamps Command.First, runs ahead
// of the room's: while such a command is not Expired its key must be there.
const keySlack = time.Hour

// Key is the memory of one command: its first answer.
type Key struct {
	Cmd     parley.CommandID
	Body    parley.Digest
	Seq     parley.Seq // the last event that it made
	Message parley.MessageID
	Part    parley.Participant
	At      time.Time
}

// Expires is when the promise of the key ends.
func (k Key) Expires() time.Time { return k.At.Add(parley.KeyLife) }

// keys are kept in the order of their events, in chunks numbered from the
// room's beginning. The newest chunk always stays and keeps the numbering.
type keys struct {
	first  int // number of chunks[0]
	chunks []*KeysPage
	byID   map[parley.CommandID]*Key
	dirty  map[int]bool // numbers of chunks changed or dropped
}

func newKeys() keys {
	return keys{byID: map[parley.CommandID]*Key{}, dirty: map[int]bool{}}
}

// remember notes the command behind an event; a command of several events
// answers with the last of them.
func (k *keys) remember(e Event) {
	k.forget(e.At)
	if e.Cmd.IsZero() {
		return
	}
	if have := k.byID[e.Cmd]; have != nil && have.Seq+1 == e.Seq {
		have.Seq, have.At = e.Seq, e.At
		if e.Message != "" {
			have.Message = e.Message
		}
		k.dirty[k.first+len(k.chunks)-1] = true
		return
	}
	k.add(Key{Cmd: e.Cmd, Body: e.Body, Seq: e.Seq, Message: e.Message, Part: subject(e), At: e.At})
}

// subject is whom an event is about.
func subject(e Event) parley.Participant {
	if len(e.Parts) == 0 {
		return parley.Participant{}
	}
	return e.Parts[0]
}

func (k *keys) add(key Key) {
	n := len(k.chunks)
	if n == 0 || len(k.chunks[n-1].Keys) == chunkKeys {
		k.chunks = append(k.chunks, &KeysPage{Keys: make([]Key, 0, chunkKeys)})
		n++
	}
	c := k.chunks[n-1]
	c.Keys = append(c.Keys, key) // never grows past its capacity: byID points into it
	k.byID[key.Cmd] = &c.Keys[len(c.Keys)-1]
	k.dirty[k.first+n-1] = true
}

// forget drops the oldest chunks once the newest key in them has expired. It
// goes by the times of events alone, so that a replay forgets alike.
func (k *keys) forget(at time.Time) {
	for len(k.chunks) > 1 {
		c := k.chunks[0]
		if !at.After(c.Keys[len(c.Keys)-1].Expires().Add(keySlack)) {
			return
		}
		for i := range c.Keys {
			if k.byID[c.Keys[i].Cmd] == &c.Keys[i] {
				delete(k.byID, c.Keys[i].Cmd)
			}
		}
		k.dirty[k.first] = true
		k.first++
		k.chunks = slices.Delete(k.chunks, 0, 1)
	}
}

// page is chunk n, or nil when it was dropped.
func (k *keys) page(n int) *KeysPage {
	if n < k.first {
		return nil
	}
	return &KeysPage{Keys: slices.Clone(k.chunks[n-k.first].Keys)}
}

func (k *keys) load(first int, chunks []*KeysPage) {
	*k = newKeys()
	k.first = first
	for _, c := range chunks {
		own := &KeysPage{Keys: append(make([]Key, 0, chunkKeys), c.Keys...)}
		for i := range own.Keys {
			k.byID[own.Keys[i].Cmd] = &own.Keys[i]
		}
		k.chunks = append(k.chunks, own)
	}
}
