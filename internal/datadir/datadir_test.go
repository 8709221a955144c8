package datadir_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-im/parley/internal/datadir"
)

func open(t *testing.T, path string) *datadir.Dir {
	t.Helper()
	d, err := datadir.Open(datadir.Config{Path: path, Create: true, Holder: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestOpenMakesFolderForItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "data")
	d := open(t, path)
	for name, want := range map[string]os.FileMode{path: os.ModeDir | 0o700, filepath.Join(path, "secret"): 0o600} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
	}
	if len(d.Secret()) != 32 {
		t.Errorf("secret has %d bytes", len(d.Secret()))
	}
}

func TestSecretStays(t *testing.T) {
	path := t.TempDir()
	first := open(t, path)
	secret := bytes.Clone(first.Secret())
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if again := open(t, path); !bytes.Equal(again.Secret(), secret) {
		t.Error("another secret after a restart")
	}
}

func TestOneHolder(t *testing.T) {
	path := t.TempDir()
	first := open(t, path)
	_, err := datadir.Open(datadir.Config{Path: path, Create: true})
	var held *datadir.HeldError
	if !errors.As(err, &held) || !strings.Contains(held.Holder, "(test)") {
		t.Fatalf("got %v, want a HeldError that names the holder", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path)
}

func TestOpenRefuses(t *testing.T) {
	write := func(name, text string, mode os.FileMode) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	whole := strings.Repeat("s", 32)
	for _, tc := range []struct {
		name   string
		make   func(t *testing.T, dir string)
		create bool
		want   string
	}{
		{"a folder with other things", write("letter.txt", "hello", 0o600), true, "other files"},
		{"a short secret", write("secret", "short", 0o600), true, "5 bytes"},
		{"an open secret", write("secret", whole, 0o644), true, "chmod 600"},
		{"no data", write("lock", "", 0o600), false, "no data folder"},
		{"a lost secret", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "store"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, true, "backup"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			tc.make(t, dir)
			_, err := datadir.Open(datadir.Config{Path: dir, Create: tc.create})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

func TestAbsent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none")
	if _, err := datadir.Open(datadir.Config{Path: path}); !errors.Is(err, datadir.ErrAbsent) {
		t.Errorf("got %v, want ErrAbsent", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}

// A first start that was killed before the secret had its name.
func TestHalfMadeSecret(t *testing.T) {
	path := t.TempDir()
	if err := os.WriteFile(filepath.Join(path, "secret.part"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := open(t, path); len(d.Secret()) != 32 {
		t.Errorf("secret has %d bytes", len(d.Secret()))
	}
}
