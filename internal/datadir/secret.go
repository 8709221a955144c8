package datadir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/parley-im/parley"
)

const (
	secretBytes = 32
	partSuffix  = ".part" // of a file that is not whole yet
)

// loadSecret reads the secret or, in a folder without data, makes one. The caller
// holds the lock.
func loadSecret(dir string, create bool) (parley.Secret, error) {
	path := filepath.Join(dir, secretName)
	secret, err := readSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	// With another secret all ids and keys would mean something else.
	if _, err := os.Lstat(filepath.Join(dir, storeName)); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing but %s has data made under it; put the secret back from a backup", path, filepath.Join(dir, storeName))
	}
	if !create {
		return nil, fmt.Errorf("%s: %w", dir, ErrAbsent)
	}
	return makeSecret(dir, path)
}

func readSecret(path string) (parley.Secret, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() || mode.Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s (mode %v) is open to others; chmod 600 it", path, mode)
	}
	secret, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the secret: %w", err)
	}
	if len(secret) != secretBytes {
		return nil, fmt.Errorf("%s has %d bytes, not %d; put the secret back from a backup", path, len(secret), secretBytes)
	}
	return secret, nil
}

// makeSecret has the whole secret on disk before it has its name.
func makeSecret(dir, path string) (parley.Secret, error) {
	secret := make([]byte, secretBytes)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	part := path + partSuffix
	if err := writeDurably(part, secret); err != nil {
		return nil, fmt.Errorf("make the secret: %w", err)
	}
	if err := os.Rename(part, path); err != nil {
		return nil, fmt.Errorf("make the secret: %w", err)
	}
	return secret, Sync(dir)
}

func writeDurably(path string, text []byte) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
