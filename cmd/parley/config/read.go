package config

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/BurntSushi/toml" // keeps the keys that nothing took, with their paths
)

// maxFile is the longest file that is read.
const maxFile = 1 << 20

// Load reads a file over the defaults. It does not validate: flags may still
// change the result.
func Load(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer f.Close()
	c, err := Read(f)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Read is Load for an open file. Every unknown key is reported.
func Read(r io.Reader) (Config, error) {
	c := Default()
	meta, err := toml.NewDecoder(io.LimitReader(r, maxFile)).Decode(&c)
	if err != nil {
		return Config{}, err
	}
	var unknown []error
	for _, key := range meta.Undecoded() {
		unknown = append(unknown, fmt.Errorf("%s: there is no such setting", key))
	}
	return c, errors.Join(unknown...)
}
