package datadir

import (
	"errors"
	"os"
	"syscall"
)

// freeBytes is what others than root may still write at a place.
func freeBytes(path string) (free int64, known bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * s.Bsize, true
}

func allocate(f *os.File, bytes int64) error {
	for {
		err := syscall.Fallocate(int(f.Fd()), 0, 0, bytes)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
