package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

// maxSocketPath is the longest path that every system takes for a socket: 108
// bytes on Linux, 104 elsewhere, with the final NUL.
const maxSocketPath = 103

// Listen makes the folder's control socket, for the owner alone. Whatever the
// last server left there is replaced: the lock says that nobody listens to it.
func (d *Dir) Listen() (net.Listener, error) {
	name := filepath.Join(d.path, controlName)
	part := name + partSuffix
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l, err := listenUnix(part)
	if err != nil {
		return nil, fmt.Errorf("make the control socket: %w", err)
	}
	// It gets its name when it already listens, so that nobody who finds it is refused.
	if err := errors.Join(os.Chmod(part, 0o600), os.Rename(part, name)); err != nil {
		return nil, errors.Join(fmt.Errorf("make the control socket: %w", err), l.Close())
	}
	return &listener{UnixListener: l, name: name}, nil
}

// Dial connects to the server that holds a folder.
func Dial(path string) (net.Conn, error) {
	address, done, err := socketAddress(filepath.Join(path, controlName))
	if err != nil {
		return nil, err
	}
	defer done()
	return net.DialUnix("unix", nil, address)
}

type listener struct {
	*net.UnixListener
	name string
}

func (l *listener) Close() error {
	return errors.Join(os.Remove(l.name), l.UnixListener.Close())
}

func listenUnix(path string) (*net.UnixListener, error) {
	address, done, err := socketAddress(path)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.ListenUnix("unix", address)
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // the name it was made under is gone by then
	return l, nil
}

// socketAddress names a socket whose path may be too long for the system by way
// of an open descriptor of its folder. done lets the descriptor go.
func socketAddress(path string) (address *net.UnixAddr, done func(), err error) {
	if len(path) <= maxSocketPath {
		return &net.UnixAddr{Net: "unix", Name: path}, func() {}, nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	short := fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path))
	if _, err := os.Stat(filepath.Dir(short)); err != nil {
		_ = dir.Close()
		return nil, nil, fmt.Errorf("%s is too long for a socket on this system (%d bytes at most)", path, maxSocketPath)
	}
	return &net.UnixAddr{Net: "unix", Name: short}, func() { _ = dir.Close() }, nil
}
