package embedded

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
)

const (
	crashWriters = 4
	crashMem     = 64 << 10 // so that logs rotate and tables are written between losses
)

// TestPowerLoss lets the power go at seeded operations, three times and more per
// seed, and looks at what a reboot finds.
func TestPowerLoss(t *testing.T) {
	torn := 0
	for seed := range uint64(crashSeeds) {
		n, err := livesUntilLost(t.Context(), seed, false)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		torn += n
	}
	t.Logf("%d logs ended inside a record", torn) // TestTornLog makes sure of one
}

// The same look must see a disk that lies about syncs, or it would see nothing.
func TestPowerLossFindsSkippedSyncs(t *testing.T) {
	for seed := range uint64(20) {
		if _, err := livesUntilLost(t.Context(), seed, true); err != nil {
			t.Logf("seed %d: %v", seed, err)
			return
		}
	}
	t.Error("20 power losses on a disk that skips syncs, and nothing was missed")
}

// livesUntilLost runs three lives of one store on one medium.
func livesUntilLost(ctx context.Context, seed uint64, skipSyncs bool) (torn int, err error) {
	rng := rand.New(rand.NewPCG(seed, 2))
	fs := crashfs.New(seed)
	rows := make([]crashRow, crashWriters)
	for life := range 3 {
		s, err := openAfterLoss(&fs, rng)
		if err != nil {
			return torn, fmt.Errorf("life %d: %w", life, err)
		}
		torn += s.Recovered().Torn
		for i := range rows {
			if err := rows[i].verify(ctx, s, rowN(i)); err != nil {
				return torn, errors.Join(fmt.Errorf("life %d, row %d: %w", life, i, err), s.Close())
			}
		}
		fs.SkipSyncs(skipSyncs)
		planLoss(fs, rng)
		work(ctx, s, rows, rng)
		if err := s.Close(); err == nil {
			return torn, fmt.Errorf("life %d: close after the power loss reported nothing", life)
		}
		fs = fs.Image()
	}
	return torn, nil
}

// openAfterLoss opens, now and then with another power loss on the way.
func openAfterLoss(fs **crashfs.FS, rng *rand.Rand) (*Store, error) {
	cfg := Config{Dir: "/data/store", FS: *fs, memTable: crashMem}
	if rng.IntN(3) > 0 {
		return Open(cfg)
	}
	(*fs).CrashAt(1 + rng.IntN(25))
	if s, err := Open(cfg); err == nil {
		s.Close()
	}
	*fs = (*fs).Image()
	cfg.FS = *fs
	return Open(cfg)
}

// planLoss lets the power go at an operation, of any kind or, since most are on
// the log, of those on tables, manifest and folder.
func planLoss(fs *crashfs.FS, rng *rand.Rand) {
	if rng.IntN(2) == 0 {
		fs.CrashAt(fs.Ops() + 1 + rng.IntN(200))
		return
	}
	var left atomic.Int64
	left.Store(1 + rng.Int64N(30))
	fs.OnOp(func(_ int, _ crashfs.Op, name string) error {
		if filepath.Ext(name) != ".log" && left.Add(-1) == 0 {
			fs.Crash()
		}
		return nil
	})
}

// work writes every row, and reads it meanwhile, until the medium is lost.
func work(ctx context.Context, s *Store, rows []crashRow, rng *rand.Rand) {
	var all sync.WaitGroup
	for i := range rows {
		big, writing := rng.IntN(2) == 0, make(chan struct{})
		all.Go(func() {
			defer close(writing)
			for rows[i].write(ctx, s, rowN(i), big, writing) == nil {
			}
		})
		all.Go(func() {
			for range writing {
				rows[i].look(ctx, s, rowN(i))
			}
		})
	}
	all.Wait()
}

// crashRow is what the writer and the reader of one row know. Commit n puts n
// into the fence and two marks and adds entry n to the log; entry n-8 is erased later.
type crashRow struct {
	tried, acked uint64 // by the writer
	erased       uint64 // entries up to it may be gone
	seen         uint64 // by the reader: the highest fence shown
}

func (r *crashRow) write(ctx context.Context, s *Store, row []byte, big bool, writing chan<- struct{}) error {
	held := fenceValue(r.acked)
	if r.acked == 0 {
		held = nil
	}
	n := r.acked + 1
	r.tried = n
	select {
	case writing <- struct{}{}:
	default: // still looking
	}
	check := persistence.Check{Family: persistence.Log, Qualifier: []byte("fence"), Want: held}
	if err := s.Commit(ctx, persistence.Mailbox, row, check, crashCells(n, big)); err != nil {
		return err
	}
	r.acked = n
	if n%4 != 0 || n <= 8 {
		return nil
	}
	r.erased = n - 8
	return s.Erase(ctx, persistence.Mailbox, row, persistence.Dead{Family: persistence.Log, Qualifier: entry(n - 8), UpTo: n})
}

func fenceValue(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func entry(n uint64) []byte { return binary.BigEndian.AppendUint64([]byte("log"), n) }

func crashCells(n uint64, big bool) []persistence.Cell {
	body := make([]byte, 50)
	if big {
		body = make([]byte, 5_000)
	}
	binary.BigEndian.PutUint64(body, n)
	return []persistence.Cell{
		{Family: persistence.Log, Qualifier: []byte("fence"), Version: n, Value: fenceValue(n)},
		{Family: persistence.Log, Qualifier: entry(n), Version: n, Value: body},
		{Family: persistence.Meta, Qualifier: []byte("mark"), Version: n, Value: fenceValue(n)},
		{Family: persistence.Search, Qualifier: []byte("mark"), Version: n, Value: fenceValue(n)},
	}
}

func (r *crashRow) look(ctx context.Context, s *Store, row []byte) {
	got, err := s.Read(ctx, persistence.Mailbox, row, persistence.Exactly(persistence.Log, []byte("fence")))
	if err == nil && len(got[0]) == 1 {
		r.seen = max(r.seen, binary.BigEndian.Uint64(got[0][0].Value))
	}
}

// verify reads the row after a reboot and goes on from what is there.
func (r *crashRow) verify(ctx context.Context, s *Store, row []byte) error {
	got, err := s.Read(ctx, persistence.Mailbox, row,
		persistence.Exactly(persistence.Log, []byte("fence")),
		persistence.Exactly(persistence.Meta, []byte("mark")),
		persistence.Exactly(persistence.Search, []byte("mark")),
		persistence.Range{Family: persistence.Log, From: []byte("log"), Limit: 1 << 20})
	if err != nil {
		return err
	}
	var n uint64
	for i, cells := range got[:3] {
		var v uint64
		if len(cells) == 1 {
			v = binary.BigEndian.Uint64(cells[0].Value)
		}
		if i > 0 && v != n {
			return fmt.Errorf("half a commit: fence %d, mark %d", n, v)
		}
		n = v
	}
	if n < r.acked || n < r.seen || n > r.tried {
		return fmt.Errorf("holds commit %d; %d was acknowledged, %d shown, %d tried", n, r.acked, r.seen, r.tried)
	}
	*r = crashRow{tried: n, acked: n, erased: r.erased, seen: n}
	return r.entries(got[3])
}

// entries must be there up to the last commit, but for those that were erased on purpose.
func (r *crashRow) entries(cells []persistence.Cell) error {
	have := make(map[uint64]bool)
	for _, c := range cells {
		n := binary.BigEndian.Uint64(c.Qualifier[len("log"):])
		if n != binary.BigEndian.Uint64(c.Value) || n > r.acked {
			return fmt.Errorf("entry %d of %d holds %d", n, r.acked, binary.BigEndian.Uint64(c.Value))
		}
		have[n] = true
	}
	for n := uint64(1); n <= r.acked; n++ {
		if mayBeGone := n%4 == 0 && n <= r.erased; !have[n] && !mayBeGone {
			return fmt.Errorf("entry %d of %d is missing", n, r.acked)
		}
	}
	return nil
}
