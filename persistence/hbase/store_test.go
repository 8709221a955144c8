package hbase

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/internal/testenv"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
	"github.com/parley-im/parley/persistence/faulty"
	"github.com/parley-im/parley/persistence/storetest"
)

func open(t testing.TB, cfg Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// openShared opens the tables that most tests share; each writes rows of its own.
func openShared(t testing.TB, quorum string) *Store {
	t.Helper()
	return open(t, Config{Quorum: quorum, Prefix: "shared_", Regions: 3})
}

// openFresh makes tables for one test, which go with it.
func openFresh(t testing.TB, quorum string) *Store {
	t.Helper()
	cfg := Config{Quorum: quorum, Prefix: "fresh_" + rand.Text() + "_", Regions: 1}
	s := open(t, cfg)
	t.Cleanup(func() {
		s.Close()
		drop(t, s.cfg)
	})
	return s
}

func drop(t testing.TB, cfg Config) {
	var l links
	defer l.close()
	admin := gohbase.NewAdminClient(cfg.Quorum, gohbase.RegionDialer(l.dial), gohbase.Logger(cfg.Log))
	ctx := context.WithoutCancel(t.Context()) // which ends before the cleanups run
	var all sync.WaitGroup
	defer all.Wait()
	for table := range families {
		all.Go(func() {
			err := admin.DisableTable(hrpc.NewDisableTable(ctx, cfg.tableName(table)))
			if err == nil {
				err = admin.DeleteTable(hrpc.NewDeleteTable(ctx, cfg.tableName(table)))
			}
			if err != nil {
				t.Errorf("drop %s: %v", table, err)
			}
		})
	}
}

func openEmbedded(t testing.TB) *embedded.Store {
	t.Helper()
	s, err := embedded.Open(embedded.Config{Dir: "/store", FS: crashfs.New(1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStore(t *testing.T) {
	quorum := testenv.HBase(t)
	storetest.Run(t, func(t *testing.T) persistence.Store { return openShared(t, quorum) })
}

func TestStoreBehindFaults(t *testing.T) {
	quorum := testenv.HBase(t)
	seed := uint64(0)
	storetest.Run(t, func(t *testing.T) persistence.Store {
		seed++
		t.Logf("faults of seed %d", seed)
		return faulty.New(openShared(t, quorum), faulty.Seeded(seed, faulty.Rates{Refuse: 8, LoseAnswer: 8, LoseRequest: 8}))
	})
}

// left keeps a store open from one subtest to the next.
type left struct{ persistence.Store }

func (left) Close() error { return nil }

// The same plays on HBase and on the embedded store give the same answers, one by
// one, and leave the same rows.
func TestSameAsEmbedded(t *testing.T) {
	one, other := openFresh(t, testenv.HBase(t)), openEmbedded(t)
	storetest.RunRandom(t, func(t *testing.T) persistence.Store {
		return storetest.NewPair(t, left{one}, left{other})
	})
	t.Logf("%d cells are the same", storetest.Same(t, one, other, families))
}

// Two servers that start at once make the tables once.
func TestOpenTogether(t *testing.T) {
	quorum := testenv.HBase(t)
	cfg := Config{Quorum: quorum, Prefix: "fresh_" + rand.Text() + "_", Regions: 1}
	t.Cleanup(func() { drop(t, cfg.withDefaults()) })
	const servers = 2
	errs := make(chan error, servers)
	for range servers {
		go func() {
			s, err := Open(t.Context(), cfg)
			if err == nil {
				err = s.Close()
			}
			errs <- err
		}()
	}
	for range servers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// Names of tables are what an operator sees, and stay.
func TestTableName(t *testing.T) {
	if got := string(Config{}.withDefaults().tableName(persistence.Mailbox)); got != "parley_mailbox" {
		t.Errorf("got %s", got)
	}
}
