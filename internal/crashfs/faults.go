package crashfs

import (
	"syscall"
	"time"
)

// SetSyncDelay makes every sync of a file or folder take at least d.
func (fs *FS) SetSyncDelay(d time.Duration) { fs.delay.Store(int64(d)) }

// SkipSyncs plants a fault: syncs succeed and do nothing.
func (fs *FS) SkipSyncs(skip bool) { fs.skip.Store(skip) }

// SetSpace lets files grow by at most n bytes from now on; then writes come
// back short with ENOSPC. Removing a file gives its bytes back, and a higher
// SetSpace heals. A negative n takes the limit away.
func (fs *FS) SetSpace(n int64) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.space = n
}

// OnOp asks f before every operation that changes the medium, with its number,
// kind and file; an error from f is the operation's answer and nothing happens.
// f may call Crash. It runs on the caller's goroutine, several at a time.
func (fs *FS) OnOp(f func(n int, op Op, name string) error) {
	if f == nil {
		fs.hook.Store(nil)
		return
	}
	fs.hook.Store(&f)
}

func (fs *FS) fault(n int, op Op, name string) error {
	if f := fs.hook.Load(); f != nil {
		return (*f)(n, op, name)
	}
	return nil
}

func (fs *FS) limited() bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.space >= 0
}

// take asks for n bytes and gets at most that.
func (fs *FS) take(n int64) (got int64, err error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.space < 0 || n <= 0 {
		return n, nil
	}
	got = min(n, fs.space)
	fs.space -= got
	if got < n {
		return got, syscall.ENOSPC
	}
	return got, nil
}

func (fs *FS) giveBack(n int64) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.space >= 0 {
		fs.space += n
	}
}

// sync waits out the delay with the power still able to go, then acts.
func (fs *FS) sync(op Op, name string, act func() error) error {
	if d := fs.delay.Load(); d > 0 {
		time.Sleep(time.Duration(d))
	}
	return fs.change(op, name, func() error {
		if fs.skip.Load() {
			return nil
		}
		return act()
	})
}
