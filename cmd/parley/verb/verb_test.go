package verb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/datadir"
	"github.com/parley-im/parley/persistence"
)

func TestMessage(t *testing.T) {
	full := &parley.Error{Code: parley.OverQuota, Op: "mailbox.deliver", Public: "the mailbox is full"}
	field := &parley.Error{Code: parley.BadRequest, Op: "directory.create", Public: "too long", Field: "name"}
	for _, tc := range []struct {
		err  error
		want string
	}{
		{full, "the mailbox is full"},
		{fmt.Errorf("a.mbox: message 5: %w", full), "a.mbox: message 5: the mailbox is full"},
		{field, "name: too long"},
		{parley.Wrap(parley.Unavailable, "store", errors.New("disk on fire")), "store: disk on fire"},
		{fmt.Errorf("a.mbox: %w", context.Canceled), "interrupted; run it again to go on"},
		{parley.Wrap(parley.DiskFull, "store", persistence.ErrNoSpace), "the disk is full; make space and run it again"},
		{fmt.Errorf("/x: %w", datadir.ErrAbsent), "/x: no data folder there; parley serve and parley account add make one"},
		{&datadir.HeldError{Path: "/x/lock", Holder: "process 7 (import)"}, "/x/lock is held by process 7 (import), which does not answer; wait until it is done, or stop it"},
	} {
		if got := Message(tc.err); got != tc.want {
			t.Errorf("%v: got %q, want %q", tc.err, got, tc.want)
		}
	}
}

func TestReadPassword(t *testing.T) {
	for _, tc := range []struct {
		name, in, want string
		ok             bool
	}{
		{"a line", "correct horse\n", "correct horse", true},
		{"a line of another system", "correct horse\r\n", "correct horse", true},
		{"no line end", "correct horse", "correct horse", true},
		{"spaces stay", " correct horse \n", " correct horse ", true},
		{"nothing", "", "", false},
		{"an empty line", "\n", "", false},
		{"two lines", "correct\nhorse\n", "", false},
		{"a file", strings.Repeat("x", 1<<20), "", false},
	} {
		got, err := readPassword(strings.NewReader(tc.in))
		if string(got) != tc.want || (err == nil) != tc.ok {
			t.Errorf("%s: got %q, %v, want %q", tc.name, got, err, tc.want)
		}
		if usage := (*UsageError)(nil); err != nil && !errors.As(err, &usage) {
			t.Errorf("%s: %v is no usage error", tc.name, err)
		}
	}
}

// What is typed in one process is the same in another.
func TestDecode(t *testing.T) {
	for _, v := range all() {
		again, err := Decode(v.Name(), []byte(`{}`))
		if err != nil || again.Name() != v.Name() {
			t.Errorf("%s: %v, %v", v.Name(), again, err)
		}
	}
	for name, args := range map[string]string{"fly": `{}`, "audit": `{"Deep":true}`} {
		if _, err := Decode(name, []byte(args)); err == nil || !strings.Contains(err.Error(), "another version") {
			t.Errorf("%s %s: %v", name, args, err)
		}
	}
}

// A failed write leaves what was there, and nothing beside it.
func TestWriteWhole(t *testing.T) {
	path := t.TempDir() + "/out"
	write := func(text string, err error) error {
		return writeWhole(path, func(w io.Writer) error { fmt.Fprint(w, text); return err })
	}
	if err := write("first", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("half", io.ErrUnexpectedEOF); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	if got := dirText(t, path); got != "out: first" {
		t.Errorf("got %q", got)
	}
}

// dirText is what the folder of a path holds.
func dirText(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Name()+": "+string(text))
	}
	return strings.Join(all, "\n")
}
