package thread

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Load replaces the state by what the pages say; events after Applied follow by
// Apply. It refuses pages that it does not know rather than forget them.
func (s *State) Load(pages map[string]Page) error {
	fresh := New(s.id)
	chunks := map[int]*KeysPage{}
	for key, page := range pages {
		if !fresh.loadPage(key, page, chunks) {
			return fmt.Errorf("thread %s: page %q is %T", s.id, key, page)
		}
	}
	// Cursors are told by what participants see, so everything else comes first.
	if page, ok := pages[KeyCursors].(*CursorsPage); ok {
		fresh.loadCursors(page)
	}
	if err := fresh.loadChunks(chunks); err != nil {
		return err
	}
	*s = *fresh
	return nil
}

func (s *State) loadPage(key string, page Page, chunks map[int]*KeysPage) bool {
	switch page := page.(type) {
	case *RoomPage:
		s.room = *page
		s.room.Offshoots = slices.Clone(page.Offshoots)
		for _, f := range page.Offshoots {
			for _, seq := range f.Granted {
				s.moved[seq] = f.Seq
			}
		}
		return key == KeyRoom
	case *StampsPage:
		s.stamps = slices.Clone(page.Runs)
		return key == KeyStamps
	case *PartsPage:
		s.loadParts(page)
		return key == KeyParts
	case *CursorsPage:
		return key == KeyCursors
	case *KeysPage:
		n, err := strconv.Atoi(strings.TrimPrefix(key, KeyChunk))
		chunks[n] = page
		return err == nil && n >= 0 && chunkKey(n) == key && len(page.Keys) > 0 && len(page.Keys) <= chunkKeys
	default:
		return false
	}
}

func (s *State) loadParts(page *PartsPage) {
	for _, stored := range page.Parts {
		p := &part{Part: stored}
		p.Stands = nil
		for _, st := range stored.Stands {
			p.push(st)
		}
		s.index(p)
		s.count(p.state(), +1)
	}
}

func (s *State) loadChunks(chunks map[int]*KeysPage) error {
	numbers := slices.Sorted(maps.Keys(chunks))
	var list []*KeysPage
	for i, n := range numbers {
		if n != numbers[0]+i {
			return fmt.Errorf("thread %s: page %q is missing", s.id, chunkKey(numbers[0]+i))
		}
		list = append(list, chunks[n])
	}
	if len(list) > 0 {
		s.keys.load(numbers[0], list)
	}
	return nil
}
