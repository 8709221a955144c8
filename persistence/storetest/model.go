package storetest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/parley-im/parley/persistence"
)

// state is what a row may hold: by family and qualifier, the cell that is shown.
type state map[string]persistence.Cell

// modelRow keeps every state that the answers so far allow. A write of unknown
// outcome doubles them, a read leaves those that it fits.
type modelRow struct {
	may   []state
	floor map[string]uint64 // per cell, the highest version erased: puts stay above it
}

func newModelRow() *modelRow {
	return &modelRow{may: []state{{}}, floor: make(map[string]uint64)}
}

func name(f persistence.Family, qualifier []byte) string { return string(f) + string(qualifier) }

func (s state) put(cells []persistence.Cell) state {
	s = maps.Clone(s)
	for _, c := range cells {
		if n := name(c.Family, c.Qualifier); s[n].Version <= c.Version {
			s[n] = c
		}
	}
	return s
}

func (s state) erase(dead ...persistence.Dead) state {
	s = maps.Clone(s)
	for _, d := range dead {
		if n := name(d.Family, d.Qualifier); s[n].Version <= d.UpTo {
			delete(s, n)
		}
	}
	return s
}

func (s state) holds(c persistence.Check) bool {
	got, found := s[name(c.Family, c.Qualifier)]
	return found == (c.Want != nil) && bytes.Equal(got.Value, c.Want)
}

func (s state) read(r persistence.Range) (cells []persistence.Cell) {
	for _, c := range s {
		if c.Family == r.Family && bytes.Compare(c.Qualifier, r.From) >= 0 && (r.To == nil || bytes.Compare(c.Qualifier, r.To) < 0) {
			cells = append(cells, c)
		}
	}
	sort.Slice(cells, func(i, j int) bool { return bytes.Compare(cells[i].Qualifier, cells[j].Qualifier) < 0 })
	return cells[:min(len(cells), r.Limit)]
}

// wrote takes the answer to a write: it happened, it did not, or nobody knows.
func (m *modelRow) wrote(err error, write func(state) []state) {
	var next []state
	for _, s := range m.may {
		if err == nil || persistence.Ambiguous(err) {
			next = append(next, write(s)...)
		}
	}
	if err != nil {
		next = append(next, m.may...)
	}
	m.may = distinct(next)
}

// committed takes the answer to a conditional write.
func (m *modelRow) committed(err error, failed bool, c persistence.Check, cells []persistence.Cell) error {
	m.may = slices.DeleteFunc(m.may, func(s state) bool {
		return err == nil && !s.holds(c) || failed && s.holds(c)
	})
	if failed {
		return m.possible(fmt.Sprintf("check %s:%q=%q failed", c.Family, c.Qualifier, c.Want))
	}
	m.wrote(err, func(s state) []state {
		if s.holds(c) {
			return []state{s.put(cells)}
		}
		return nil
	})
	return m.possible(fmt.Sprintf("check %s:%q=%q held", c.Family, c.Qualifier, c.Want))
}

// saw keeps the states that a read fits.
func (m *modelRow) saw(ranges []persistence.Range, got [][]persistence.Cell) error {
	before := m.may
	m.may = slices.DeleteFunc(slices.Clone(m.may), func(s state) bool {
		for i, r := range ranges {
			if !slices.EqualFunc(s.read(r), got[i], sameCell) {
				return true
			}
		}
		return false
	})
	if len(m.may) > 0 {
		return nil
	}
	text := ""
	for i, r := range ranges {
		text += fmt.Sprintf("\nrange %s [%x, %x) limit %d: got %s", r.Family, r.From, r.To, r.Limit, show(got[i]))
		for _, s := range before {
			text += fmt.Sprintf("\n  want %s", show(s.read(r)))
		}
	}
	return fmt.Errorf("no state fits the read:%s", text)
}

func (m *modelRow) possible(event string) error {
	if len(m.may) == 0 {
		return fmt.Errorf("%s, but no state of the row allows it", event)
	}
	return nil
}

func distinct(states []state) (out []state) {
	for _, s := range states {
		if !slices.ContainsFunc(out, func(o state) bool { return maps.EqualFunc(s, o, sameCell) }) {
			out = append(out, s)
		}
	}
	return out
}
