package embedded

import (
	"context"
	"fmt"

	"github.com/parley-im/parley/persistence"
)

var _ persistence.Compacter = (*Store)(nil)

// Compact implements persistence.Compacter. Tables that held the values are removed
// soon after, when no read uses them, and logs that carried them before it returns.
func (s *Store) Compact(ctx context.Context, t persistence.Table, prefix []byte) error {
	from, err := locate(t, prefix)
	if err != nil {
		return err
	}
	from = from[:len(from)-2] // without the end of the frame: the beginning of a row
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.running.Done()
	if err := s.medium.failure(); err != nil {
		return err
	}
	if err := s.db.Compact(ctx, from, behind(from), false); err != nil {
		return fmt.Errorf("embedded: compact rows %x: %w", prefix, err)
	}
	if err := s.dropLogs(ctx); err != nil {
		return fmt.Errorf("embedded: drop logs: %w", err)
	}
	return s.medium.failure()
}

// behind is the lowest key behind all that begin with a prefix. A table's byte is
// never the highest, so that there is one.
func behind(prefix []byte) []byte {
	next := append([]byte(nil), prefix...)
	for next[len(next)-1] == 0xff {
		next = next[:len(next)-1]
	}
	next[len(next)-1]++
	return next
}

// dropLogs has the log go on in another file and removes those before it, which
// Pebble would keep in order to use their space again: what they hold it would
// overwrite only in time.
func (s *Store) dropLogs(ctx context.Context) error {
	s.dropping.Lock()
	defer s.dropping.Unlock()
	s.medium.freshLogs(true)
	defer s.medium.freshLogs(false)
	logs, err := s.medium.logs()
	if err != nil {
		return err
	}
	if err := s.flush(ctx); err != nil { // all that these logs hold is in tables then
		return err
	}
	return s.medium.removeLogs(logs)
}

// flush brings what is in memory into tables. Pebble tries for ever on a medium
// that has failed, and then nothing would ever end the wait.
func (s *Store) flush(ctx context.Context) error {
	flushed, err := s.db.AsyncFlush()
	if err != nil {
		return err
	}
	select {
	case <-flushed:
		return nil
	case <-s.medium.failed:
		return s.medium.failure()
	case <-s.medium.closing:
		return ErrFailed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
