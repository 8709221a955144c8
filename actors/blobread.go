package actors

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/service"
	"github.com/parley-im/parley/service/future"
)

// Bounds of one read of a blob.
const (
	blobStep     = 1 << 20          // what is larger is read in steps
	blobReadTime = 10 * time.Second // of a step, back-up included
)

// span is a part of a blob.
type span struct {
	digest parley.Digest
	off    int64
	n      int
}

// blobReads is the way out to the blobs. A read that takes longer than most did
// lately is made again, and the slower one is cancelled; a store that hangs is
// left alone for a while. Each attempt opens the blob by itself and fills bytes of
// its own, since one that was given up may still be writing to them.
type blobReads struct {
	Blobs
	read service.Service[span, []byte]
}

func newBlobReads(m *meter, blobs Blobs) *blobReads {
	hung := service.NewBreaker(service.BreakerConfig{Op: "actors.blob", Opened: m.blobsAlone, Failed: func(err error) bool {
		return parley.CodeOf(err) == parley.Unavailable || errors.Is(err, context.DeadlineExceeded) // damage says nothing of other blobs
	}})
	r := &blobReads{Blobs: blobs}
	r.read = service.Chain(
		service.Record[span, []byte](observer(func(took time.Duration, _ error) { m.blobReads.Observe(took.Seconds()) })),
		service.Timeout[span, []byte]("actors.blob", blobReadTime),
		service.Backup[span, []byte](service.BackupConfig{Sent: m.backups, Won: m.backupsWon}),
		service.Guard[span, []byte](hung),
	).AndThen(r.attempt)
	return r
}

// attempt reads in a goroutine of its own, because a disk does not obey a context.
func (r *blobReads) attempt(ctx context.Context, s span) ([]byte, error) {
	return future.Go(ctx, func(ctx context.Context) ([]byte, error) {
		b, err := r.Blobs.Open(ctx, s.digest)
		if err != nil {
			return nil, err
		}
		defer b.Close()
		raw := make([]byte, s.n)
		if _, err := b.ReadAt(raw, s.off); err != nil && !(errors.Is(err, io.EOF) && s.off+int64(s.n) == b.Size()) {
			return nil, err
		}
		return raw, nil
	}).Await(ctx)
}

// Open finds a blob. What is read of it obeys ctx, since io.ReaderAt has none: the
// blob is for the call that opened it.
func (r *blobReads) Open(ctx context.Context, d parley.Digest) (blob.Blob, error) {
	b, err := r.Blobs.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	return &steadyBlob{Blob: b, step: func(off int64, n int) ([]byte, error) { return r.read(ctx, span{d, off, n}) }}, nil
}

// steadyBlob reads through the filters. A blob of one step is read once, and its
// digest checked; of a larger one each part is checked by its own sums.
type steadyBlob struct {
	blob.Blob
	step func(off int64, n int) ([]byte, error)

	mu    sync.Mutex
	whole []byte // under mu
}

// ReadAt reads a part, or all, as io.ReaderAt says.
func (b *steadyBlob) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("actors: negative offset of a blob")
	}
	for n < len(p) && off < b.Size() {
		raw, err := b.from(off, len(p)-n)
		if err != nil {
			return n, err
		}
		done := copy(p[n:], raw)
		n, off = n+done, off+int64(done)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// from gives bytes from an offset within the blob: at most want, at least one.
func (b *steadyBlob) from(off int64, want int) ([]byte, error) {
	if b.Size() > blobStep {
		return b.step(off, int(min(int64(want), blobStep, b.Size()-off)))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.whole == nil {
		whole, err := b.step(0, int(b.Size()))
		if err != nil {
			return nil, err
		}
		b.whole = whole
	}
	return b.whole[off:], nil
}
