package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/parley-im/parley"
)

// Put stores what r gives. See Store.
func (s *Volumes) Put(ctx context.Context, r io.Reader) (Ref, error) {
	s.count.puts.Add(1)
	head, more, err := readHead(ctx, r, int(min(s.cfg.small, s.cfg.MaxBytes+1)))
	if err != nil {
		return Ref{}, uploadError(err)
	}
	if int64(len(head)) > s.cfg.MaxBytes {
		return Ref{}, s.tooLarge()
	}
	if more {
		if err := s.admit(len(head)); err != nil {
			return Ref{}, err
		}
		return s.putLarge(ctx, head, r)
	}
	ref := Ref{Digest: sha256.Sum256(head), Size: int64(len(head))}
	if _, _, sound := s.index.find(ref.Digest); !sound {
		if err := s.admit(len(head)); err != nil {
			return Ref{}, err
		}
	}
	if err := s.settle(ctx, &request{kind: kindPut, digest: ref.Digest, payload: head}); err != nil {
		return Ref{}, err
	}
	return ref, nil
}

// settle has the committer store or renew, unless there is nothing to do.
func (s *Volumes) settle(ctx context.Context, r *request) error {
	if p, _, sound := s.index.find(r.digest); sound && s.fresh(p) {
		return nil
	}
	return parley.Wrap(parley.Unavailable, "blob.put", s.submit(ctx, r))
}

// admit refuses a blob that would go below the reserve. Where nobody knows what is
// free, the write will tell.
func (s *Volumes) admit(bytes int) error {
	if s.cfg.Reserve == 0 {
		return nil
	}
	use, err := s.fs.GetDiskUsage(s.dir)
	if err != nil || use.AvailBytes >= s.cfg.Reserve+uint64(bytes) {
		return nil
	}
	return failure("blob.put", fmt.Errorf("%d bytes are left, %d are kept free: %w", use.AvailBytes, s.cfg.Reserve, syscall.ENOSPC))
}

func (s *Volumes) tooLarge() error {
	return parley.E(parley.TooLarge, "blob.put", fmt.Sprintf("larger than %d bytes", s.cfg.MaxBytes))
}

// uploadError keeps what the reader said; a caller that is gone is nobody's fault.
func uploadError(err error) error {
	err = fmt.Errorf("blob: read upload: %w", err)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return parley.Wrap(parley.Unavailable, "blob.put", err)
	}
	return err
}

// readHead reads up to limit bytes; more says that r had not ended by then.
func readHead(ctx context.Context, r io.Reader, limit int) (head []byte, more bool, err error) {
	head = make([]byte, min(limit, 4<<10))
	n := 0
	for {
		got, end, err := fill(ctx, r, head[n:])
		n += got
		if err != nil || end {
			return head[:n], false, err
		}
		if n == limit {
			return head, true, nil
		}
		head = append(make([]byte, 0, min(4*n, limit)), head...)
		head = head[:cap(head)]
	}
}

// fill reads until b is full or r ends. Unlike io.ReadFull it takes
// io.ErrUnexpectedEOF for what it is in an upload: a sender that was cut off.
func fill(ctx context.Context, r io.Reader, b []byte) (n int, end bool, err error) {
	idle := 0
	for n < len(b) {
		if err := ctx.Err(); err != nil {
			return n, false, err
		}
		got, err := r.Read(b[n:])
		n += got
		if err == io.EOF {
			return n, true, nil
		}
		if err != nil {
			return n, false, err
		}
		if idle++; got > 0 {
			idle = 0
		}
		if idle == 100 {
			return n, false, io.ErrNoProgress
		}
	}
	return n, false, nil
}
