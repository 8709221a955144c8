package directory

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// Qualifiers of an account's row.
var (
	counterCell  = []byte("v")
	accountCell  = []byte("account")
	passwordCell = []byte("password")
)

// Prefixes of the cells of which a row has many.
const (
	tokenPrefix = "t/"
	usePrefix   = "u/"
	keyPrefix   = "k/"
)

// row is one state of an account's row, never changed once read.
type row struct {
	id       parley.AccountID
	counter  uint64 // 0: nothing was ever committed
	account  *record.Account
	version  uint64 // of the account cell
	password string // PHC; "" when none
	tokens   map[parley.TokenID]*token
	uses     map[parley.TokenID]use
	key      *key // of the command that readFor was asked about
}

type token struct {
	*record.Token
	version uint64
}

type use struct {
	at      int64
	version uint64
}

// read loads what an account's row holds, command keys apart.
func (d *Directory) read(ctx context.Context, id parley.AccountID) (*row, error) {
	return d.readFor(ctx, id, parley.Command{})
}

// readFor is read with the key of a command: one state of the row tells what
// the command did and what became of it.
func (d *Directory) readFor(ctx context.Context, id parley.AccountID, cmd parley.Command) (*row, error) {
	ranges := []persistence.Range{
		persistence.Exactly(persistence.Arch, counterCell),
		persistence.Exactly(persistence.Arch, accountCell),
		persistence.Exactly(persistence.Arch, passwordCell),
		under(tokenPrefix, 4*MaxTokens),
		under(usePrefix, 4*MaxTokens),
	}
	if !cmd.ID.IsZero() {
		ranges = append(ranges, persistence.Exactly(persistence.Arch, keyQualifier(cmd.ID)))
	}
	cells, err := d.store.Read(ctx, persistence.Account, parley.RowKey(string(id)), ranges...)
	if err != nil {
		return nil, stored("directory.read", err)
	}
	r := &row{id: id, tokens: map[parley.TokenID]*token{}, uses: map[parley.TokenID]use{}}
	for _, c := range slices.Concat(cells...) {
		if err := r.take(c); err != nil {
			return nil, fmt.Errorf("read account %s, cell %q: %w", id, c.Qualifier, err)
		}
	}
	return r, nil
}

// under is the range of the cells whose qualifier has a prefix that ends in "/".
func under(prefix string, limit int) persistence.Range {
	to := []byte(prefix)
	to[len(to)-1]++
	return persistence.Range{Family: persistence.Arch, From: []byte(prefix), To: to, Limit: limit}
}

func (r *row) take(c persistence.Cell) error {
	q := string(c.Qualifier)
	switch {
	case bytes.Equal(c.Qualifier, counterCell) && len(c.Value) == 8:
		r.counter = binary.BigEndian.Uint64(c.Value)
		return nil
	case bytes.Equal(c.Qualifier, accountCell):
		r.account, r.version = &record.Account{}, c.Version
		return proto.Unmarshal(c.Value, r.account)
	case bytes.Equal(c.Qualifier, passwordCell):
		var p record.Password
		err := proto.Unmarshal(c.Value, &p)
		r.password = p.GetPhc()
		return err
	case len(q) > 2 && q[:2] == tokenPrefix:
		t := &token{Token: &record.Token{}, version: c.Version}
		r.tokens[parley.TokenID(q[2:])] = t
		return proto.Unmarshal(c.Value, t.Token)
	case len(q) > 2 && q[:2] == usePrefix:
		var u record.TokenUse
		err := proto.Unmarshal(c.Value, &u)
		r.uses[parley.TokenID(q[2:])] = use{at: u.GetUsedAt(), version: c.Version}
		return err
	case len(q) > 2 && q[:2] == keyPrefix:
		r.key = &key{CommandKey: &record.CommandKey{}, version: c.Version}
		return proto.Unmarshal(c.Value, r.key.CommandKey)
	}
	return fmt.Errorf("not a cell of this table")
}

// put is a cell of the next commit; commit gives it its version.
func put(qualifier []byte, m proto.Message) persistence.Cell {
	value, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("directory: marshal %T: %v", m, err)) // strings are checked to be UTF-8 before
	}
	return persistence.Cell{Family: persistence.Arch, Qualifier: qualifier, Value: value}
}

// commit writes cells if the row is still as r was read; else ErrCheckFailed.
// Without cells it only sees to it that a commit based on r or on what was
// before r fails.
func (d *Directory) commit(ctx context.Context, r *row, cells ...persistence.Cell) (version uint64, err error) {
	version = r.counter + 1
	check := persistence.Check{Family: persistence.Arch, Qualifier: counterCell}
	if r.counter > 0 {
		check.Want = binary.BigEndian.AppendUint64(nil, r.counter)
	}
	cells = append(cells, persistence.Cell{
		Family: persistence.Arch, Qualifier: counterCell, Value: binary.BigEndian.AppendUint64(nil, version),
	})
	for i := range cells {
		cells[i].Version = version
	}
	err = d.store.Commit(ctx, persistence.Account, parley.RowKey(string(r.id)), check, cells)
	d.rows.drop(r.id) // whatever the outcome: it may have landed
	return version, stored("directory.commit", err)
}

// erase removes cells that a commit has made void. What fails here is erased
// by a later sweep.
func (d *Directory) erase(ctx context.Context, id parley.AccountID, dead ...persistence.Dead) {
	if len(dead) == 0 {
		return
	}
	if err := d.store.Erase(ctx, persistence.Account, parley.RowKey(string(id)), dead...); err != nil {
		d.log.Warn("void cells stay for now", "account", id, "error", err)
	}
}

func dead(qualifier string, version uint64) persistence.Dead {
	return persistence.Dead{Family: persistence.Arch, Qualifier: []byte(qualifier), UpTo: version}
}

// exists reports whether the row is an account; closed ones are.
func (r *row) exists() bool { return r.account != nil }

func (r *row) closed() bool { return r.account.GetClosedAt() != 0 }

// lists reports whether the account has a name.
func (r *row) lists(n name) bool {
	if !r.exists() || r.closed() {
		return false
	}
	return slices.Contains(names(r.account), n)
}
