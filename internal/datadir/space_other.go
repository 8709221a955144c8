//go:build !linux

package datadir

import (
	"errors"
	"os"
)

// freeBytes is not known; there is no ballast then.
func freeBytes(string) (free int64, known bool) { return 0, false }

func allocate(*os.File, int64) error { return errors.ErrUnsupported }
