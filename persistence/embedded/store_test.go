package embedded

import (
	"testing"

	"github.com/parley-im/parley/internal/crashfs"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) persistence.Store { return openOn(t, crashfs.New(1)) })
}

func TestStoreOnDisk(t *testing.T) {
	storetest.Run(t, func(t *testing.T) persistence.Store {
		s, err := Open(Config{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
