package embedded

import (
	"fmt"

	"github.com/parley-im/parley/persistence"
)

const (
	maxRow    = 32767    // what every store can hold
	maxCommit = 64 << 20 // bytes of one commit, its keys included
)

// locate checks table and row and gives the key of the row.
func locate(t persistence.Table, row []byte) ([]byte, error) {
	table, ok := tableBytes[t]
	if !ok {
		return nil, fmt.Errorf("embedded: no table %q", t)
	}
	if len(row) == 0 || len(row) > maxRow {
		return nil, fmt.Errorf("embedded: a row key of %d bytes, allowed are 1 to %d", len(row), maxRow)
	}
	return rowKey(table, row), nil
}

func familyByte(f persistence.Family) (byte, error) {
	b, ok := familyBytes[f]
	if !ok {
		return 0, fmt.Errorf("embedded: no family %q", f)
	}
	return b, nil
}

func checkRanges(ranges []persistence.Range) error {
	for _, r := range ranges {
		if _, err := familyByte(r.Family); err != nil {
			return err
		}
		if r.Limit <= 0 {
			return fmt.Errorf("embedded: a range of family %q with limit %d", r.Family, r.Limit)
		}
	}
	return nil
}

// checkCells refuses what no store takes, so that none writes a part of it.
func checkCells(cells []persistence.Cell) error {
	if len(cells) == 0 {
		return fmt.Errorf("embedded: nothing to put")
	}
	type name struct{ family, qualifier string }
	seen := make(map[name]bool, len(cells))
	for _, c := range cells {
		if _, err := familyByte(c.Family); err != nil {
			return err
		}
		if c.Version == 0 || c.Version > persistence.MaxVersion {
			return fmt.Errorf("embedded: version %d of cell %s:%x, allowed are 1 to %d", c.Version, c.Family, c.Qualifier, uint64(persistence.MaxVersion))
		}
		n := name{string(c.Family), string(c.Qualifier)}
		if seen[n] {
			return fmt.Errorf("embedded: cell %s:%x twice in one commit", c.Family, c.Qualifier)
		}
		seen[n] = true
	}
	return nil
}
