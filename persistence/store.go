// Package persistence is the contract between parley and its stores: rows of
// versioned cells, one fenced atomic put per commit, column ranges, ordered
// scans, and erasing up to a version. The stored records are in
// record/, the row keys in the root package.
//
// It promises that what Commit acknowledged is durable and that at most one
// activation can commit to a row. It leaves to actors what the cells mean.
// Implementations: embedded (Pebble), hbase; storetest holds each of them to
// the sentences below, faulty makes them fail.
package persistence

import (
	"context"
	"errors"
)

// Table names one of the tables.
type Table string

// The tables. A row is the unit of atomicity.
const (
	Mailbox   Table = "mailbox"   // row: account; families l, m, s
	Thread    Table = "thread"    // row: room; families l, m
	Archive   Table = "archive"   // row: account or room + segment; family a
	Directory Table = "directory" // row: address, external id, or token; family d
	Account   Table = "account"   // row: account; family a
	Reminder  Table = "reminder"  // row: bucket; family r
)

// Family is a column family.
type Family string

// The families.
const (
	Log    Family = "l" // fence, log tail, bodies
	Meta   Family = "m" // entities, index blocks, marks
	Search Family = "s" // search segments
	Arch   Family = "a" // archive and account rows
	Dir    Family = "d" // directory rows
	Remind Family = "r" // reminder rows
)

// MaxVersion is the highest version. HBase's timestamps are signed, and the
// highest of them stands for the server's clock.
const MaxVersion = 1<<63 - 2

// Cell is one versioned value. Of the versions of a cell only the newest is ever shown.
type Cell struct {
	Family    Family
	Qualifier []byte
	Version   uint64 // explicit; epoch<<32 | n for fenced rows. 1 to MaxVersion.
	Value     []byte // may be empty, never "absent"
}

// Range asks for the cells of one family with From <= qualifier < To, in order.
// A nil To means to the end of the family; an empty one holds nothing. Limit
// must be positive.
type Range struct {
	Family   Family
	From, To []byte
	Limit    int
}

// Exactly is the range that holds one qualifier.
func Exactly(f Family, qualifier []byte) Range {
	to := append(append([]byte(nil), qualifier...), 0)
	return Range{Family: f, From: qualifier, To: to, Limit: 1}
}

// Check is the condition of a commit: the cell (Family, Qualifier) holds
// exactly Want. A nil Want means that the cell must be absent.
type Check struct {
	Family    Family
	Qualifier []byte
	Want      []byte
}

// Dead names versions to erase: those of one cell up to and including UpTo.
type Dead struct {
	Family    Family
	Qualifier []byte
	UpTo      uint64
}

// ErrCheckFailed says that the condition did not hold and nothing was written.
var ErrCheckFailed = errors.New("persistence: check failed")

// ErrNoSpace says that the medium is full. Nothing was written; space alone heals it.
var ErrNoSpace = errors.New("persistence: no space left")

// AmbiguousError says that a write may or may not have landed.
type AmbiguousError struct{ Err error }

func (e *AmbiguousError) Error() string { return "persistence: outcome unknown: " + e.Err.Error() }
func (e *AmbiguousError) Unwrap() error { return e.Err }

// Ambiguous reports whether the write behind err may have landed.
func Ambiguous(err error) bool {
	var a *AmbiguousError
	return errors.As(err, &a)
}

// Compacter is a Store that can be asked to give up what was erased.
type Compacter interface {
	// Compact rewrites the rows of t whose keys begin with prefix. When it returns,
	// values of theirs that were erased or replaced before are in no file of the
	// store that it will read again, and soon in none. A store that wraps one that
	// cannot do so gives errors.ErrUnsupported.
	Compact(ctx context.Context, t Table, prefix []byte) error
}

// Store keeps rows of versioned cells. All methods are safe for concurrent use.
//
// A row key has 1 to 32,767 bytes of any value, a qualifier any bytes or none.
// An unknown table or family, a version that is 0 or above MaxVersion and an empty
// list of cells are errors. A table need not take families that are not its own.
// An error that is not Ambiguous means that nothing was written. A context that has ended
// before a write is sent refuses it clearly; one that ends later may make it Ambiguous.
type Store interface {
	// Read returns the newest version of each cell in the ranges, range by
	// range, each in qualifier order and at most Limit of it. It is one
	// operation: all ranges see one state of the row, and that state is durable.
	// An absent row is empty.
	// Returned slices belong to the caller.
	Read(ctx context.Context, t Table, row []byte, ranges ...Range) ([][]Cell, error)

	// Commit writes all cells or nothing, if and only if check holds at that
	// moment; else ErrCheckFailed. It returns when the cells are durable. The cells
	// may lie in several families of the row. A cell whose version is lower
	// than the one stored stays hidden under the newer one; equal replaces.
	// Two cells of one commit with the same family and qualifier are an error.
	// If Ambiguous(err) the commit may have landed, whole.
	Commit(ctx context.Context, t Table, row []byte, check Check, cells []Cell) error

	// Put is Commit without a condition.
	Put(ctx context.Context, t Table, row []byte, cells []Cell) error

	// Erase removes versions up to the given ones; a newer version, put before
	// or after, survives. It is not atomic over several cells and is safe to repeat;
	// when it returns, what it removed stays removed.
	// An older or equal version put after the erase may stay hidden: callers
	// only ever raise versions.
	Erase(ctx context.Context, t Table, row []byte, dead ...Dead) error

	// Rows lists row keys of t that hold at least one cell, in order, starting
	// at from (inclusive), at most limit. Each is listed once.
	Rows(ctx context.Context, t Table, from []byte, limit int) ([][]byte, error)

	// Close waits for running operations and releases the store. Whatever comes
	// after fails.
	Close() error
}
