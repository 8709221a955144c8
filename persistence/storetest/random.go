package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/parley-im/parley/persistence"
)

const (
	seeds   = 8
	players = 3
	steps   = 150
)

var (
	playFamilies   = []persistence.Family{persistence.Log, persistence.Meta, persistence.Search}
	playQualifiers = []string{"", "\x00", "\x00\x01", "a", "a\x00", "\xff"}
)

// runRandom plays random operations on a few rows at once, each row by one player, and compares every answer.
func runRandom(t *testing.T, open Open) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			f := newFixture(t, open)
			raw := f.Store.(*insist).Store
			rows := make(map[string]*modelRow)
			var all sync.WaitGroup
			for i := range uint64(players) {
				p := &player{t: t, s: raw, rng: rand.New(rand.NewPCG(seed, i)), rows: make(map[string]*modelRow)}
				for _, n := range []string{"\x00", "r", "r\x00\xff"} {
					m := newModelRow()
					n = fmt.Sprint(i) + n
					p.rows[string(f.row(n))], rows[n] = m, m
					p.names = append(p.names, string(f.row(n)))
				}
				all.Go(p.play)
			}
			all.Wait()
			if !t.Failed() {
				compareRows(t, f, rows)
			}
		})
	}
}

// compareRows checks the list of rows against rows whose state is known.
func compareRows(t *testing.T, f *fixture, rows map[string]*modelRow) {
	var want []string
	for n, m := range rows {
		if len(m.may[0]) > 0 {
			want = append(want, n)
		}
	}
	slices.Sort(want)
	if got := f.rowsFrom("", 100); !slices.Equal(got, want) {
		t.Errorf("rows: got %q, want %q", got, want)
	}
}

// player is the one writer of its rows.
type player struct {
	t       *testing.T
	s       persistence.Store
	rng     *rand.Rand
	rows    map[string]*modelRow
	names   []string
	version uint64
}

func (p *player) play() {
	for step := range steps {
		row := p.names[p.rng.IntN(len(p.names))]
		if err := p.step(p.t.Context(), []byte(row), p.rows[row]); err != nil {
			p.t.Errorf("step %d, row %x: %v", step, row, err)
			return
		}
	}
	for _, row := range p.names {
		if err := p.settle(p.t.Context(), []byte(row), p.rows[row]); err != nil {
			p.t.Errorf("at the end, row %x: %v", row, err)
		}
	}
}

func (p *player) step(ctx context.Context, row []byte, m *modelRow) error {
	if len(m.may) > 16 {
		return p.settle(ctx, row, m)
	}
	switch p.rng.IntN(10) {
	case 0, 1, 2:
		return p.read(ctx, row, m)
	case 3, 4:
		cells := p.cells(m)
		m.wrote(p.s.Put(ctx, table, row, cells), func(s state) []state { return []state{s.put(cells)} })
	case 5, 6, 7:
		check, cells := p.check(m), p.cells(m)
		err := p.s.Commit(ctx, table, row, check, cells)
		return m.committed(err, errors.Is(err, persistence.ErrCheckFailed), check, cells)
	default:
		p.erase(ctx, row, m)
	}
	return nil
}

// settle reads the whole row until it is known.
func (p *player) settle(ctx context.Context, row []byte, m *modelRow) error {
	ranges := []persistence.Range{all(persistence.Log), all(persistence.Meta), all(persistence.Search)}
	got, err := (&insist{p.s}).Read(ctx, table, row, ranges...)
	if err != nil {
		return err
	}
	return m.saw(ranges, got)
}

func (p *player) read(ctx context.Context, row []byte, m *modelRow) error {
	ranges := make([]persistence.Range, 1+p.rng.IntN(3))
	for i := range ranges {
		ranges[i] = persistence.Range{Family: p.family(), From: p.qualifier(), Limit: 1 + p.rng.IntN(4)}
		if p.rng.IntN(2) == 0 {
			ranges[i].To = p.qualifier()
		}
	}
	got, err := p.s.Read(ctx, table, row, ranges...)
	if err != nil {
		return nil
	}
	return m.saw(ranges, got)
}

// erase of unknown outcome may have erased any of the cells, since it is not atomic.
func (p *player) erase(ctx context.Context, row []byte, m *modelRow) {
	var dead []persistence.Dead
	for range 1 + p.rng.IntN(2) {
		d := persistence.Dead{Family: p.family(), Qualifier: p.qualifier(), UpTo: p.rng.Uint64N(p.version + 1)}
		n := name(d.Family, d.Qualifier)
		m.floor[n] = max(m.floor[n], d.UpTo)
		dead = append(dead, d)
	}
	err := p.s.Erase(ctx, table, row, dead...)
	m.wrote(err, func(s state) []state {
		if err == nil {
			return []state{s.erase(dead...)}
		}
		return []state{s.erase(dead...), s.erase(dead[0]), s.erase(dead[len(dead)-1])}
	})
}
