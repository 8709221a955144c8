// Package storetest holds every implementation of persistence.Store to the
// sentences of its contract.
//
// It promises that a store that passes may be exchanged for another: first each
// sentence in a subtest of its own, then seeded random operations compared with
// a map. It needs no empty store, since every subtest writes rows of its own, and
// no reliable one: behind faulty it repeats what failed clearly and finds out what became
// of the rest. It leaves crashes and full disks to the stores' own tests.
package storetest

import (
	"testing"

	"github.com/parley-im/parley/persistence"
)

// Open gives a store for one subtest, which closes it.
type Open func(t *testing.T) persistence.Store

type clause struct {
	name string
	hold func(t *testing.T, s *fixture)
}

var clauses = []clause{
	{"read/absent row is empty", absentRowIsEmpty},
	{"read/ranges come one by one, in qualifier order", rangesInOrder},
	{"read/from is in, to is out, nil to is the end of the family", rangeBounds},
	{"read/limit", rangeLimit},
	{"read/an empty value is not absent", emptyValue},
	{"read/qualifiers of any bytes", binaryQualifiers},
	{"read/rows of any bytes do not mix", binaryRows},
	{"read/tables do not mix", tablesApart},
	{"read/exactly one cell", exactlyOne},
	{"read/all ranges see one state", oneState},
	{"read/slices belong to the caller", slicesBelong},
	{"read/ten thousand cells by ranges", tenThousandCells},
	{"read/value of 4 MiB", bigValue},
	{"versions/newest is shown", newestShown},
	{"versions/a late lower put stays hidden", lateLowerPut},
	{"versions/equal replaces", equalReplaces},
	{"versions/of one cell say nothing of another", versionsPerCell},
	{"commit/on absent", checkAbsent},
	{"commit/on value", checkValue},
	{"commit/an empty value is not absent", checkEmptyValue},
	{"commit/failed check writes nothing", failedCheckWritesNothing},
	{"commit/several families as one", severalFamilies},
	{"commit/one winner of many", oneWinner},
	{"commit/what it refuses", refusals},
	{"commit/ended context writes nothing", endedContext},
	{"erase/up to the version", eraseUpTo},
	{"erase/keeps newer", eraseKeepsNewer},
	{"erase/a higher version put again survives", erasePutAgain},
	{"erase/is safe to repeat", eraseRepeats},
	{"erase/absent cells and rows", eraseAbsent},
	{"rows/in order, from, limit, each once", rowsInOrder},
	{"rows/vanish with the last cell", rowsVanish},
	{"close/refuses what comes after", closedRefuses},
}

// Run holds a store to the contract.
func Run(t *testing.T, open Open) {
	for _, c := range clauses {
		t.Run(c.name, func(t *testing.T) { c.hold(t, newFixture(t, open)) })
	}
	RunRandom(t, open)
}

// RunRandom holds it to the seeded random operations alone.
func RunRandom(t *testing.T, open Open) {
	t.Run("random", func(t *testing.T) { runRandom(t, open) })
}
