package embedded

import (
	"context"
	"sync"
)

// rowLocks gives each row one owner at a time. A commit owns its row until it
// is durable, and a read looks while it owns the row, so that nobody reads what
// a power loss may take back. Waiting ends with the caller's context.
type rowLocks struct {
	mu   sync.Mutex
	rows map[string]*rowLock // under mu; the rows that are owned
}

type rowLock struct {
	owned chan struct{} // holds one token while owned
	users int           // under rowLocks.mu; the owner and those who wait
}

func newRowLocks() *rowLocks { return &rowLocks{rows: make(map[string]*rowLock)} }

// lock waits for the row. The row stays owned until unlock; after a failure of
// the medium owners keep what they have, and others are turned away.
func (l *rowLocks) lock(ctx context.Context, row string, failed <-chan struct{}) (unlock func(), err error) {
	r := l.use(row)
	select {
	case r.owned <- struct{}{}:
		return func() { <-r.owned; l.leave(row, r) }, nil
	default:
	}
	select {
	case r.owned <- struct{}{}:
		return func() { <-r.owned; l.leave(row, r) }, nil
	case <-failed:
		err = ErrFailed
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	l.leave(row, r)
	return nil, err
}

// owned reports whether someone owns the row now.
func (l *rowLocks) owned(row string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows[row] != nil
}

func (l *rowLocks) use(row string) *rowLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.rows[row]
	if r == nil {
		r = &rowLock{owned: make(chan struct{}, 1)}
		l.rows[row] = r
	}
	r.users++
	return r
}

func (l *rowLocks) leave(row string, r *rowLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.users--; r.users == 0 {
		delete(l.rows, row)
	}
}
