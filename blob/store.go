package blob

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/parley-im/parley"
)

// Ref names a blob: its digest and how long it is.
type Ref struct {
	Digest parley.Digest
	Size   int64
}

// Info is what is known of a blob without reading it.
type Info struct {
	Ref
	Date time.Time // of the last Put, renewals included; exact to the hour
}

// Blob is an open blob. It may be read by several goroutines, and has to be closed.
type Blob interface {
	// ReadAt never returns bytes that do not pass their checksums. A read of
	// the whole blob, and any read of one below 1 MiB, also checks the digest.
	io.ReaderAt
	io.Closer
	Size() int64
	Digest() parley.Digest
}

// Store is what the rest of parley needs of the blobs. All methods are safe
// for concurrent use.
type Store interface {
	// Put reads r to its end and returns when the bytes are durable. Bytes that
	// are here already are not stored again, but their date is renewed
	// durably (unless it is younger than an hour). It holds no lock while it
	// reads from r. If it fails, nothing is promised either way; a repeat is safe.
	// Codes: TooLarge, DiskFull (an error that is persistence.ErrNoSpace too),
	// Unavailable; an error of r comes back wrapped.
	Put(ctx context.Context, r io.Reader) (Ref, error)

	// Open finds a blob; NotFound if there is none.
	Open(ctx context.Context, d parley.Digest) (Blob, error)

	// Renew is Put for who knows that the bytes are here: the date alone. NotFound
	// if there are none; a damaged blob is renewed, since it may yet be healed.
	Renew(ctx context.Context, d parley.Digest) error

	// Stat is Open for the size and the date alone.
	Stat(ctx context.Context, d parley.Digest) (Info, error)
}

var (
	// ErrDamaged says that stored bytes do not pass their checksums. A Put of
	// the right bytes heals the blob.
	ErrDamaged = errors.New("blob: stored bytes are damaged")

	// ErrClosed says that the store has been closed.
	ErrClosed = errors.New("blob: store is closed")

	// ErrInUse says that another process has the folder open.
	ErrInUse = errors.New("blob: folder is in use by another process")
)
