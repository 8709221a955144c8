package actors

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/parley-im/parley/persistence"
)

// memory is a store in memory that is as harsh as the contract allows: what is put
// under a version that was erased stays hidden for good.
type memory struct {
	mu    sync.Mutex
	rows  map[string]map[string]persistence.Cell // by table and row; by family and qualifier
	floor map[string]uint64                      // highest version erased, by all of these
}

func newMemory() *memory {
	return &memory{rows: map[string]map[string]persistence.Cell{}, floor: map[string]uint64{}}
}

func (m *memory) Read(_ context.Context, t persistence.Table, row []byte, ranges ...persistence.Range) ([][]persistence.Cell, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([][]persistence.Cell, len(ranges))
	cells := m.rows[string(t)+string(row)]
	for i, r := range ranges {
		if r.Limit == 1 && len(r.To) == len(r.From)+1 { // one cell
			if c, is := cells[string(r.Family)+string(r.From)]; is {
				c.Qualifier, c.Value = bytes.Clone(c.Qualifier), bytes.Clone(c.Value)
				out[i] = []persistence.Cell{c}
			}
			continue
		}
		for _, c := range cells {
			if c.Family == r.Family && bytes.Compare(c.Qualifier, r.From) >= 0 && (r.To == nil || bytes.Compare(c.Qualifier, r.To) < 0) {
				c.Qualifier, c.Value = bytes.Clone(c.Qualifier), bytes.Clone(c.Value)
				out[i] = append(out[i], c)
			}
		}
		slices.SortFunc(out[i], func(a, b persistence.Cell) int { return bytes.Compare(a.Qualifier, b.Qualifier) })
		out[i] = out[i][:min(len(out[i]), r.Limit)]
	}
	return out, nil
}

func (m *memory) Commit(ctx context.Context, t persistence.Table, row []byte, check persistence.Check, cells []persistence.Cell) error {
	m.mu.Lock()
	c, is := m.rows[string(t)+string(row)][string(check.Family)+string(check.Qualifier)]
	m.mu.Unlock()
	if is != (check.Want != nil) || !bytes.Equal(c.Value, check.Want) {
		return persistence.ErrCheckFailed
	}
	return m.Put(ctx, t, row, cells)
}

func (m *memory) Put(_ context.Context, t persistence.Table, row []byte, cells []persistence.Cell) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := string(t) + string(row)
	if m.rows[key] == nil {
		m.rows[key] = map[string]persistence.Cell{}
	}
	for _, c := range cells {
		q := string(c.Family) + string(c.Qualifier)
		if c.Version > m.floor[key+q] && c.Version >= m.rows[key][q].Version {
			c.Qualifier, c.Value = bytes.Clone(c.Qualifier), bytes.Clone(c.Value)
			m.rows[key][q] = c
		}
	}
	return nil
}

func (m *memory) Erase(_ context.Context, t persistence.Table, row []byte, dead ...persistence.Dead) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := string(t) + string(row)
	for _, d := range dead {
		q := string(d.Family) + string(d.Qualifier)
		m.floor[key+q] = max(m.floor[key+q], d.UpTo)
		if c, is := m.rows[key][q]; is && c.Version <= d.UpTo {
			delete(m.rows[key], q)
		}
	}
	return nil
}

func (m *memory) Rows(_ context.Context, t persistence.Table, from []byte, limit int) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out [][]byte
	for key, cells := range m.rows {
		if row, is := strings.CutPrefix(key, string(t)); is && len(cells) > 0 && row >= string(from) {
			out = append(out, []byte(row))
		}
	}
	slices.SortFunc(out, bytes.Compare)
	return out[:min(len(out), limit)], nil
}

func (m *memory) Close() error { return nil }
