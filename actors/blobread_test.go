package actors

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/blob"
)

// slowBlobs has one blob. How long a read takes is asked for at each; one that
// is cancelled says so.
type slowBlobs struct {
	Blobs
	bytes    []byte
	takes    func(read int) time.Duration
	mu       sync.Mutex
	reads    int // under mu
	given    int // under mu: reads that were cancelled
	openings int // under mu
}

type slowBlob struct {
	*bytes.Reader
	s   *slowBlobs
	ctx context.Context
}

func (s *slowBlobs) Open(ctx context.Context, _ parley.Digest) (blob.Blob, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.openings++
	return &slowBlob{bytes.NewReader(s.bytes), s, ctx}, nil
}

func (b *slowBlob) Digest() parley.Digest { return parley.Digest{1} }
func (b *slowBlob) Size() int64           { return int64(len(b.s.bytes)) }
func (b *slowBlob) Close() error {
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	b.s.openings--
	return nil
}

func (b *slowBlob) ReadAt(p []byte, off int64) (int, error) {
	b.s.mu.Lock()
	n := b.s.reads
	b.s.reads++
	b.s.mu.Unlock()
	select {
	case <-time.After(b.s.takes(n)):
		return b.Reader.ReadAt(p, off)
	case <-b.ctx.Done():
		b.s.mu.Lock()
		defer b.s.mu.Unlock()
		b.s.given++
		return 0, b.ctx.Err()
	}
}

func readSpan(t *testing.T, r *blobReads, p []byte, off int64) error {
	t.Helper()
	b, err := r.Open(t.Context(), parley.Digest{1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	_, err = b.ReadAt(p, off)
	return err
}

// A read that is slow is made again; the one that answers first ends the other.
func TestSlowBlobReadHasABackup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stuck = 200
		s := &slowBlobs{bytes: []byte("some bytes"), takes: func(n int) time.Duration {
			if n == stuck {
				return time.Hour
			}
			return 2 * time.Millisecond
		}}
		m := newMeter(nil)
		r := newBlobReads(m, s)
		p := make([]byte, 4)
		for range stuck {
			if err := readSpan(t, r, p, 5); err != nil || string(p) != "byte" {
				t.Fatalf("read %q: %v", p, err)
			}
		}
		start := time.Now()
		if err := readSpan(t, r, p, 5); err != nil || string(p) != "byte" {
			t.Fatalf("read %q: %v", p, err)
		}
		if took := time.Since(start); took > 20*time.Millisecond {
			t.Errorf("took %v", took)
		}
		synctest.Wait()
		if s.reads != stuck+2 || s.given != 1 || s.openings != 0 {
			t.Errorf("%d reads, %d cancelled, %d left open; want %d, 1, 0", s.reads, s.given, s.openings, stuck+2)
		}
		if sent, won := counted(m.backups), counted(m.backupsWon); sent != 1 || won != 1 {
			t.Errorf("%v back-ups, %v won; want 1, 1", sent, won)
		}
	})
}

// A store that hangs costs each reader its time, until it is left alone.
func TestHungBlobsAreLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slowBlobs{bytes: []byte("some bytes"), takes: func(int) time.Duration { return time.Hour }}
		r := newBlobReads(newMeter(nil), s)
		for range 30 {
			go func() { _ = readSpan(t, r, make([]byte, 4), 0) }()
		}
		time.Sleep(blobReadTime)
		synctest.Wait()
		start := time.Now()
		if err := readSpan(t, r, make([]byte, 4), 0); parley.CodeOf(err) != parley.Unavailable {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("a refusal took %v", took)
		}
	})
}

func checkReadAt(t *testing.T, r io.ReaderAt, content []byte, off, n int) {
	t.Helper()
	p := make([]byte, n)
	got, err := r.ReadAt(p, int64(off))
	want := content[min(off, len(content)):min(off+n, len(content))]
	if !bytes.Equal(p[:got], want) {
		t.Errorf("%d bytes at %d of %d: got %d others", n, off, len(content), got)
	}
	if short := len(want) < n; short != (err == io.EOF) || err != nil && !short {
		t.Errorf("%d bytes at %d of %d: %v", n, off, len(content), err)
	}
}

// What is read in steps is what is there.
func TestSteadyBlob(t *testing.T) {
	for _, size := range []int{0, 1, 1000, blobStep - 1, blobStep, blobStep + 1, 2*blobStep + 77} {
		content := bytes.Repeat([]byte("parley, "), size/8+1)[:size]
		s := &slowBlobs{bytes: content, takes: func(int) time.Duration { return 0 }}
		b, err := newBlobReads(newMeter(nil), s).Open(t.Context(), parley.Digest{1})
		if err != nil {
			t.Fatal(err)
		}
		for _, off := range []int{0, 1, size / 2, blobStep - 1, blobStep, size - 1, size, size + 1} {
			for _, n := range []int{0, 1, 100, blobStep, size, size + 1} {
				checkReadAt(t, b, content, max(off, 0), n)
			}
		}
		if size <= 1000 {
			if err := iotest.TestReader(io.NewSectionReader(b, 0, b.Size()), content); err != nil {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
		if err := b.Close(); err != nil || s.openings != 0 {
			t.Errorf("%d bytes: %d left open: %v", size, s.openings, err)
		}
	}
}

// The large texts of a page are read beside each other, and come in their order.
func TestPageOfLargeTextsIsGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 10 * time.Millisecond
		s := &slowBlobs{bytes: []byte("a long text"), takes: func(int) time.Duration { return each }}
		texts := rowTexts{blobs: newBlobReads(newMeter(nil), s)}
		page := make([]storedBody, 2*textsAtOnce)
		for i := range page {
			page[i].m = &mailbox.Message{Body: mailbox.Body{Blob: parley.Digest{byte(i + 1)}}}
		}
		start := time.Now()
		got, err := texts.decode(t.Context(), page)
		if err != nil || len(got) != len(page) || got[0] != "a long text" {
			t.Fatalf("got %q: %v", got, err)
		}
		if took := time.Since(start); took != 2*each {
			t.Errorf("took %v, want the time of two reads", took)
		}
	})
}
