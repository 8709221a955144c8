package hbase

import (
	"context"
	"fmt"
	"testing"

	"github.com/parley-im/parley/internal/testenv"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
	"github.com/parley-im/parley/persistence/storetest"
)

// openTest opens the tables that all tests share; each writes rows of its own.
func openTest(t testing.TB, quorum string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Quorum: quorum, Prefix: "test_", Regions: 3})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	quorum := testenv.HBase(t)
	storetest.Run(t, func(t *testing.T) persistence.Store { return openTest(t, quorum) })
}

func TestStoreBehindFaults(t *testing.T) {
	quorum := testenv.HBase(t)
	seed := uint64(0)
	storetest.Run(t, func(t *testing.T) persistence.Store {
		seed++
		t.Logf("faults of seed %d", seed)
		return faulty.New(openTest(t, quorum), faulty.Seeded(seed, faulty.Rates{Refuse: 8, LoseAnswer: 8, LoseRequest: 8}))
	})
}

var _ = fmt.Sprint
var _ context.Context
