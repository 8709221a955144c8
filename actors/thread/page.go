package thread

import (
	"slices"
	"strconv"
	"time"

	"github.com/parley-im/parley"
)

// Page is a part of the state in stored form: *RoomPage, *StampsPage,
// *PartsPage, *CursorsPage or *KeysPage. Pages are copies; the state keeps none.
type Page interface{ page() }

// Keys of the pages. Chunks of command keys are KeyChunk and their number.
const (
	KeyRoom    = "room"
	KeyStamps  = "stamps"
	KeyParts   = "parts"
	KeyCursors = "cursors"
	KeyChunk   = "k/"
)

// RoomPage changes with every event.
type RoomPage struct {
	Subject   string
	Open      bool
	History   parley.History
	Last      parley.Seq
	LastAt    time.Time
	Roster    parley.Seq // the event that last changed the participants
	CreatedAt time.Time
	Maker     parley.PartID
	Turns     int        // events that are not posts
	Offshoots []Founding // rooms that were split off, at most MaxOffshoots
	Stamped   Span       // the newest run of posts stamped history=all; the others are in StampsPage
}

// StampsPage holds the runs of posts stamped history=all but the newest.
type StampsPage struct{ Runs []Span }

// PartsPage holds all participants, those who left included, in the order in
// which the room came to know them.
type PartsPage struct{ Parts []Part }

// CursorsPage: who is not listed has all that they may see up to Low.
type CursorsPage struct {
	Low     parley.Seq
	Laggers []Lag
}

// KeysPage is one chunk of command keys, at most 128, in the order of their events.
type KeysPage struct{ Keys []Key }

func (*RoomPage) page()    {}
func (*StampsPage) page()  {}
func (*PartsPage) page()   {}
func (*CursorsPage) page() {}
func (*KeysPage) page()    {}

type dirt struct{ room, stamps, parts, cursors bool }

// Dirty gives the pages that changed since Clean, as of Applied; nil means that
// the page is no more. They belong into one commit, together.
func (s *State) Dirty() map[string]Page {
	out := map[string]Page{}
	for key, dirty := range map[string]bool{
		KeyRoom: s.dirty.room, KeyStamps: s.dirty.stamps, KeyParts: s.dirty.parts, KeyCursors: s.dirty.cursors,
	} {
		if dirty {
			out[key] = s.pageOf(key)
		}
	}
	for n := range s.keys.dirty {
		out[chunkKey(n)] = nil
		if page := s.keys.page(n); page != nil {
			out[chunkKey(n)] = page
		}
	}
	return out
}

// Clean marks everything as flushed. It goes with Dirty in one turn: what is
// applied between the two would be missed.
func (s *State) Clean() {
	s.dirty = dirt{}
	clear(s.keys.dirty)
}

// All gives every page; a State folded from the events, with equal cursors, has the same.
func (s *State) All() map[string]Page {
	out := map[string]Page{}
	for _, key := range []string{KeyRoom, KeyStamps, KeyParts, KeyCursors} {
		out[key] = s.pageOf(key)
	}
	for i := range s.keys.chunks {
		out[chunkKey(s.keys.first+i)] = s.keys.page(s.keys.first + i)
	}
	return out
}

func chunkKey(n int) string { return KeyChunk + strconv.Itoa(n) }

func (s *State) pageOf(key string) Page {
	switch key {
	case KeyRoom:
		room := s.room
		room.Offshoots = slices.Clone(room.Offshoots)
		return &room
	case KeyStamps:
		return &StampsPage{Runs: slices.Clone(s.stamps)}
	case KeyParts:
		page := &PartsPage{}
		for _, p := range s.parts {
			page.Parts = append(page.Parts, p.page())
		}
		return page
	default:
		return s.cursors()
	}
}
