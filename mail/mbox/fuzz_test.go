package mbox

import (
	"bytes"
	"io"
	"testing"
	"time"
)

// FuzzRoundTrip: what is written is read, byte for byte.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "a", "a\n", "From x\n", ">From \n>>From y\n\n", "\n", "\r\n", " \t\n", "\n \t\n", "a\r\n\r\n", "a\n\nFrom b Mon Jan  1 00:00:00 2024\n\nc"} {
		f.Add([]byte(s), []byte("Subject: x\n\ny\n"))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var file bytes.Buffer
		w := NewWriter(&file)
		want := [][]byte{a, b, a}
		for _, raw := range want {
			if err := w.Add("x@example.org", time.Unix(1e9, 0), bytes.NewReader(raw)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		r := NewReader(&file)
		for i, raw := range want {
			e, err := r.Next()
			if err != nil {
				t.Fatalf("message %d: %v", i, err)
			}
			if got, err := io.ReadAll(e); err != nil || !bytes.Equal(got, raw) {
				t.Fatalf("message %d: got %q, %v, want %q", i, got, err, raw)
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Fatalf("after the last: %v", err)
		}
	})
}

// FuzzRead: any file gives messages whose bytes are no more than the file's.
func FuzzRead(f *testing.F) {
	f.Add([]byte("From a@b Mon Jan  1 00:00:00 2024\nSubject: x\n\n>From y\n\nFrom c Tue Jan  2 00:00 2024\n\nz"))
	f.Add([]byte("\n\nno mailbox\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := Open(bytes.NewReader(file))
		if err != nil {
			return
		}
		compressed := bytes.HasPrefix(file, []byte("\x1f\x8b")) || bytes.HasPrefix(file, []byte("BZh")) || bytes.HasPrefix(file, []byte("\xfd7zXZ"))
		var total, last int64 = 0, -1
		for {
			e, err := r.Next()
			if err != nil {
				break
			}
			if e.Offset <= last {
				t.Fatalf("offset %d after %d", e.Offset, last)
			}
			last = e.Offset
			n, _ := io.Copy(io.Discard, e)
			total += n
		}
		if total > int64(len(file)) && !compressed {
			t.Fatalf("%d bytes of %d", total, len(file))
		}
	})
}
