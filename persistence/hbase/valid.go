package hbase

import (
	"fmt"
	"slices"

	"github.com/parley-im/parley/persistence"
)

const (
	maxRow    = 32767
	maxValue  = 10<<20 - 1024 // a server takes no cell of more than 10 MiB, its key included
	maxCommit = 64 << 20      // bytes of one commit
)

func checkRow(t persistence.Table, row []byte) error {
	if families[t] == nil {
		return fmt.Errorf("hbase: no table %q", t)
	}
	if len(row) == 0 || len(row) > maxRow {
		return fmt.Errorf("hbase: a row key of %d bytes, allowed are 1 to %d", len(row), maxRow)
	}
	return nil
}

func checkFamily(t persistence.Table, f persistence.Family) error {
	if !slices.Contains(families[t], f) {
		return fmt.Errorf("hbase: table %q has no family %q", t, f)
	}
	return nil
}

func checkRanges(t persistence.Table, ranges []persistence.Range) error {
	for _, r := range ranges {
		if err := checkFamily(t, r.Family); err != nil {
			return err
		}
		if r.Limit <= 0 {
			return fmt.Errorf("hbase: a range of family %q with limit %d", r.Family, r.Limit)
		}
	}
	return nil
}

// checkCells refuses what a server would, before anything is sent.
func checkCells(t persistence.Table, cells []persistence.Cell) error {
	if len(cells) == 0 {
		return fmt.Errorf("hbase: nothing to put")
	}
	seen := make(map[name]bool, len(cells))
	size := 0
	for _, c := range cells {
		n := name{c.Family, string(c.Qualifier)}
		switch {
		case checkFamily(t, c.Family) != nil:
			return checkFamily(t, c.Family)
		case c.Version == 0 || c.Version > persistence.MaxVersion:
			return fmt.Errorf("hbase: version %d of cell %s:%x, allowed are 1 to %d", c.Version, c.Family, c.Qualifier, uint64(persistence.MaxVersion))
		case seen[n]:
			return fmt.Errorf("hbase: cell %s:%x twice in one commit", c.Family, c.Qualifier)
		case len(c.Value)+len(c.Qualifier) > maxValue:
			return fmt.Errorf("hbase: a cell of %d bytes, allowed are %d", len(c.Value)+len(c.Qualifier), maxValue)
		}
		seen[n] = true
		size += len(c.Value) + len(c.Qualifier)
	}
	if size > maxCommit {
		return fmt.Errorf("hbase: a commit of %d bytes, allowed are %d", size, maxCommit)
	}
	return nil
}

// name is what tells the cells of a row apart.
type name struct {
	family    persistence.Family
	qualifier string
}
