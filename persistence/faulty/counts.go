package faulty

import (
	"sync/atomic"

	"github.com/parley-im/parley/persistence"
)

// Counts is what was asked of the store so far, what failed included. Bytes are
// of qualifiers and values.
type Counts struct {
	Reads, Commits, Puts, Erases, Rows int64
	CellsRead, CellsPut, CellsErased   int64
	BytesRead, BytesPut                int64
}

// Ops is the number of operations.
func (c Counts) Ops() int64 { return c.Reads + c.Commits + c.Puts + c.Erases + c.Rows }

// Since is what came after an earlier count.
func (c Counts) Since(e Counts) Counts {
	return Counts{
		Reads: c.Reads - e.Reads, Commits: c.Commits - e.Commits, Puts: c.Puts - e.Puts, Erases: c.Erases - e.Erases, Rows: c.Rows - e.Rows,
		CellsRead: c.CellsRead - e.CellsRead, CellsPut: c.CellsPut - e.CellsPut, CellsErased: c.CellsErased - e.CellsErased,
		BytesRead: c.BytesRead - e.BytesRead, BytesPut: c.BytesPut - e.BytesPut,
	}
}

// Counts reads the counts.
func (s *Store) Counts() Counts {
	t := &s.tally
	return Counts{
		Reads: t.ops[Read].Load(), Commits: t.ops[Commit].Load(), Puts: t.ops[Put].Load(), Erases: t.ops[Erase].Load(), Rows: t.ops[Rows].Load(),
		CellsRead: t.cellsRead.Load(), CellsPut: t.cellsPut.Load(), CellsErased: t.cellsErased.Load(),
		BytesRead: t.bytesRead.Load(), BytesPut: t.bytesPut.Load(),
	}
}

type tally struct {
	ops                              [numKinds]atomic.Int64
	cellsRead, cellsPut, cellsErased atomic.Int64
	bytesRead, bytesPut              atomic.Int64
}

func (t *tally) add(k Kind) (nth int) { return int(t.ops[k].Add(1)) }

func (t *tally) read(cells []persistence.Cell) {
	t.cellsRead.Add(int64(len(cells)))
	t.bytesRead.Add(size(cells))
}

func (t *tally) put(cells []persistence.Cell) {
	t.cellsPut.Add(int64(len(cells)))
	t.bytesPut.Add(size(cells))
}

func (t *tally) erase(dead []persistence.Dead) { t.cellsErased.Add(int64(len(dead))) }

func size(cells []persistence.Cell) (n int64) {
	for _, c := range cells {
		n += int64(len(c.Qualifier) + len(c.Value))
	}
	return n
}
