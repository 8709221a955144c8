package directory

import (
	"context"
	"crypto/subtle"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// maxKeys bounds the living command keys of one row.
const maxKeys = 1000

// inTime refuses a command whose first attempt is older than its key's promise:
// its first answer may be forgotten.
func (d *Directory) inTime(op string, cmd parley.Command) error {
	if cmd.ID.IsZero() || cmd.First.IsZero() || d.now().Sub(cmd.First) < parley.KeyLife {
		return nil
	}
	return fault(parley.Expired, op, "", "the first attempt was too long ago")
}

func keyQualifier(cmd parley.CommandID) []byte {
	return []byte(parley.FormatID(keyPrefix, [parley.IDBytes]byte(cmd)))
}

// keyCell remembers a command and the token that it made, if any.
func (d *Directory) keyCell(cmd parley.Command, token parley.TokenID) persistence.Cell {
	return put(keyQualifier(cmd.ID), &record.CommandKey{
		BodySha256: cmd.Body[:], ExpiresAt: d.now().Add(parley.KeyLife).UnixMicro(), Token: string(token),
	})
}

// key is what a row remembers of a command.
type key struct {
	*record.CommandKey
	version uint64
}

// remembered returns what the row r, read for cmd, knows of it: nil if it was
// not run or is forgotten, and KeyMismatch if it was run with another body.
func (d *Directory) remembered(r *row, cmd parley.Command) (*key, error) {
	if r.key == nil || d.now().UnixMicro() >= r.key.GetExpiresAt() {
		return nil, nil
	}
	if subtle.ConstantTimeCompare(r.key.GetBodySha256(), cmd.Body[:]) == 0 {
		return nil, fault(parley.KeyMismatch, "directory.key", "", "the key was used with another body")
	}
	return r.key, nil
}

// expiredKeys finds the keys to erase, and how many are alive.
func (d *Directory) expiredKeys(ctx context.Context, id parley.AccountID) (expired []persistence.Dead, alive int, err error) {
	cells, err := d.store.Read(ctx, persistence.Account, parley.RowKey(string(id)), under(keyPrefix, 2*maxKeys))
	if err != nil || len(cells) == 0 {
		return nil, 0, stored("directory.keys", err)
	}
	now := d.now().UnixMicro()
	for _, c := range cells[0] {
		var k record.CommandKey
		if err := proto.Unmarshal(c.Value, &k); err != nil {
			return nil, 0, fmt.Errorf("read keys of account %s: %w", id, err)
		}
		if now >= k.GetExpiresAt() {
			expired = append(expired, dead(string(c.Qualifier), c.Version))
		} else {
			alive++
		}
	}
	return expired, alive, nil
}
