package system

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/datadir"
	"github.com/parley-im/parley/persistence"
)

// wholeName is the file that says that store and blobs were made once: without
// one of them a folder is damaged, not new.
const wholeName = "whole"

// checkWhole refuses a folder that lost a part of itself, before an empty one is
// made in its place.
func checkWhole(dir *datadir.Dir) error {
	if _, err := os.Lstat(filepath.Join(dir.Path(), wholeName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, part := range []string{dir.Store(), dir.Blobs()} {
		if _, err := os.Lstat(part); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is missing from a folder that had it; put it back from a backup", part)
		}
	}
	return nil
}

// markWhole notes durably that all parts are there.
func markWhole(dir *datadir.Dir) error {
	path := filepath.Join(dir.Path(), wholeName)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return datadir.Sync(dir.Path())
}

// The row that knows the secret by a fingerprint.
var (
	secretRow  = []byte("secret")
	secretCell = []byte("fingerprint")
)

// checkSecret refuses a secret that is not the one under which the store was
// written: every id and every key would mean something else.
func checkSecret(ctx context.Context, s persistence.Store, secret parley.Secret) error {
	mine := secret.Derive("fingerprint")
	got, err := s.Read(ctx, persistence.Directory, secretRow, persistence.Exactly(persistence.Dir, secretCell))
	if err != nil {
		return fmt.Errorf("read the store: %w", err)
	}
	if len(got[0]) == 1 {
		if !hmac.Equal(got[0][0].Value, mine[:]) {
			return errors.New("the file secret is not the one that this store was written under; put it back from a backup")
		}
		return nil
	}
	cell := persistence.Cell{Family: persistence.Dir, Qualifier: secretCell, Version: 1, Value: mine[:]}
	err = s.Put(ctx, persistence.Directory, secretRow, []persistence.Cell{cell})
	if errors.Is(err, persistence.ErrNoSpace) {
		return nil // noted at the next start
	}
	return err
}
