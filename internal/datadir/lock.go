package datadir

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// HeldError says that another process has the folder.
type HeldError struct {
	Path   string // of the lock
	Holder string // "process 4711 (serve)"; "" if that is not known
}

func (e *HeldError) Error() string {
	if e.Holder == "" {
		return fmt.Sprintf("%s is held by another process", e.Path)
	}
	return fmt.Sprintf("%s is held by %s", e.Path, e.Holder)
}

// take locks the file for as long as this process lives: the kernel lets go when
// the process ends, also by a kill. The file itself stays, since whoever removed
// it could leave two holders of two files of one name.
func take(path, holder string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if err := flock(f); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &HeldError{Path: path, Holder: heldBy(f)}
		}
		return nil, errors.Join(err, f.Close())
	}
	if err := sign(f, holder); err != nil && !errors.Is(err, syscall.ENOSPC) {
		return nil, errors.Join(fmt.Errorf("lock the data folder: %w", err), f.Close())
	}
	return f, nil
}

func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// sign says who has the lock. It is for people to read; the lock is what counts.
func sign(f *os.File, holder string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt(fmt.Appendf(nil, "process %d (%s)\n", os.Getpid(), holder), 0)
	return err
}

func heldBy(f *os.File) string {
	text := make([]byte, 200)
	n, _ := f.ReadAt(text, 0)
	line, _, _ := strings.Cut(string(text[:n]), "\n")
	return line
}
