package datadir_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-im/parley/internal/datadir"
)

func TestSocket(t *testing.T) {
	for _, tc := range []struct{ name, dir string }{
		{"short", "data"},
		{"longer than a socket's address", strings.Repeat("long-name/", 20)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := open(t, filepath.Join(t.TempDir(), tc.dir))
			if err := os.WriteFile(filepath.Join(d.Path(), "control"), nil, 0o600); err != nil { // left by another
				t.Fatal(err)
			}
			l, err := d.Listen()
			if err != nil {
				t.Fatal(err)
			}
			go echo(l)
			conn, err := datadir.Dial(d.Path())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(conn); string(got) != "hello" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(filepath.Join(d.Path(), "control")); !os.IsNotExist(err) {
				t.Errorf("the socket stays: %v", err)
			}
		})
	}
}

func echo(l net.Listener) {
	conn, err := l.Accept()
	if err != nil {
		return
	}
	_, _ = conn.Write([]byte("hello"))
	_ = conn.Close()
}
