package storetest

import (
	"fmt"
	"slices"

	"github.com/parley-im/parley/persistence"
)

// cells raise their versions, but now and then come late.
func (p *player) cells(m *modelRow) (cells []persistence.Cell) {
	p.version++
	for range 1 + p.rng.IntN(4) {
		c := persistence.Cell{Family: p.family(), Qualifier: p.qualifier(), Version: p.version}
		same := func(o persistence.Cell) bool { return name(o.Family, o.Qualifier) == name(c.Family, c.Qualifier) }
		if slices.ContainsFunc(cells, same) {
			continue
		}
		if floor := m.floor[name(c.Family, c.Qualifier)]; p.rng.IntN(4) == 0 {
			c.Version = floor + 1 + p.rng.Uint64N(p.version-floor)
		}
		c.Value = fmt.Appendf(nil, "%d", p.rng.IntN(1000))[p.rng.IntN(2):]
		cells = append(cells, c)
	}
	return cells
}

// check mostly holds in one of the possible states.
func (p *player) check(m *modelRow) persistence.Check {
	c := persistence.Check{Family: p.family(), Qualifier: p.qualifier()}
	s := m.may[p.rng.IntN(len(m.may))]
	if held, found := s[name(c.Family, c.Qualifier)]; found {
		c.Want = append([]byte{}, held.Value...)
	}
	if p.rng.IntN(5) == 0 {
		c.Want = []byte("wrong")
	}
	return c
}

func (p *player) family() persistence.Family { return playFamilies[p.rng.IntN(len(playFamilies))] }

func (p *player) qualifier() []byte { return []byte(playQualifiers[p.rng.IntN(len(playQualifiers))]) }
