package torture

import (
	"crypto/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley/internal/testenv"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
	"github.com/parley-im/parley/persistence/hbase"
)

func onPebble() func() (persistence.Store, error) {
	fs := vfs.NewMem()
	return func() (persistence.Store, error) { return embedded.Open(embedded.Config{Dir: "store", FS: fs}) }
}

// takeTurns runs turns on a store and gives what it came to.
func takeTurns(t *testing.T, w Turns) string {
	t.Helper()
	got, err := w.Run(t.Context())
	if err != nil {
		t.Fatalf("seed %d: %v", w.Seed, err)
	}
	for _, p := range got.Problems {
		t.Errorf("seed %d: %s", w.Seed, p)
	}
	if strings.Count(got.Canonical, "\n") < 3*w.People || w.Faults > 0 && got.Faults == 0 {
		t.Fatalf("seed %d: an empty play, of %d faults:\n%s", w.Seed, got.Faults, got.Canonical)
	}
	t.Logf("seed %d: %d lines, %d writes failed", w.Seed, strings.Count(got.Canonical, "\n"), got.Faults)
	return got.Canonical
}

// sameCopies compares line by line, so that a difference is found.
func sameCopies(t *testing.T, seed uint64, one, other string) {
	t.Helper()
	a, b := strings.Split(one, "\n"), strings.Split(other, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("seed %d: line %d differs:\n%s\n%s", seed, i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("seed %d: %d lines and %d", seed, len(a), len(b))
	}
}

// The same seed comes to the same copies, with faults and without: what they
// change is when things happen, not what.
func TestTurns(t *testing.T) {
	for seed := uint64(1); seed <= 2; seed++ {
		w := Turns{Seed: seed, People: 3, Steps: 25, Lives: 2, Begin: TurnsBegin(2 * 25), Store: onPebble()}
		calm := takeTurns(t, w)
		w.Store = onPebble()
		sameCopies(t, seed, calm, takeTurns(t, w))
		w.Faults, w.Store = 200, onPebble()
		sameCopies(t, seed, timeless(calm), timeless(takeTurns(t, w)))
	}
}

var revisions = regexp.MustCompile(`"Revision":\d+`)

// timeless leaves out revisions: a delivery that a fault holds up comes behind
// what was ahead of it in another run.
func timeless(canonical string) string { return revisions.ReplaceAllString(canonical, `"Revision":0`) }

// The same seeds on a real HBase and on Pebble, faults and restarts included, come
// to the same copies.
func TestTurnsOnHBase(t *testing.T) {
	quorum := testenv.HBase(t)
	for seed := uint64(1); seed <= 2; seed++ {
		w := Turns{Seed: seed, People: 3, Steps: 25, Lives: 2, Begin: TurnsBegin(2 * 25), Store: onPebble()}
		same := func(canonical string) string { return canonical }
		if seed%2 == 0 {
			w.Faults, same = 200, timeless
		}
		want := takeTurns(t, w)
		prefix := "turns_" + rand.Text() + "_"
		w.Store = func() (persistence.Store, error) {
			return hbase.Open(t.Context(), hbase.Config{Quorum: quorum, Prefix: prefix, Regions: 1})
		}
		sameCopies(t, seed, same(want), same(takeTurns(t, w)))
	}
}
