package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	domain "github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/datadir"
	"github.com/parley-im/parley/mail/mbox"
)

// Mail goes from an mbox through a Maildir and .eml files, an account at each
// stop, and is the same at every one: bytes, threads, flags, folders, dates.
func TestMailRoundTrip(t *testing.T) {
	dir := folder(t)
	for _, address := range []string{"bo@example.org", "cy@example.org"} {
		must(t, "", "account", "add", address, "--data", dir)
	}
	verb := func(args ...string) string { return must(t, "", append(args, "--data", dir)...) }
	box := filepath.Join(t.TempDir(), "nasty.mbox")
	nasty(t, box)
	verb("import", "--account", "ana@example.org", box)
	withSystem(t, dir, live)
	want := withSystem(t, dir, stockOf("ana@example.org"))
	if n := len(want.mails); n < 80 || len(want.threads) < 20 || len(want.threads) > n-5 {
		t.Fatalf("%d messages in %d threads show nothing", n, len(want.threads))
	}
	maildir, emls := filepath.Join(t.TempDir(), "Maildir"), t.TempDir() // new, and there but empty
	for _, stop := range []struct{ format, from, path, to string }{
		{"maildir", "ana@example.org", maildir, "bo@example.org"},
		{"eml", "bo@example.org", emls, "cy@example.org"},
	} {
		verb("export", "--account", stop.from, "--format", stop.format, stop.path)
		first := verb("import", "--account", stop.to, stop.path)
		if want := fmt.Sprintf(": %d added, ", len(want.mails)); !strings.Contains(first, want) {
			t.Errorf("%s: got %q, want %q", stop.format, first, want)
		}
		want.is(t, stop.format, withSystem(t, dir, stockOf(stop.to)))
		if again := verb("import", "--account", stop.to, stop.path); !strings.Contains(again, " 0 added, ") {
			t.Errorf("%s, imported twice: %q", stop.format, again)
		}
		want.is(t, stop.format+" twice", withSystem(t, dir, stockOf(stop.to)))
	}
	for _, path := range []string{maildir, emls} {
		above, err := os.ReadDir(filepath.Dir(path))
		if err != nil || slices.ContainsFunc(above, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }) {
			t.Errorf("left beside %s: %v, %v", path, above, err)
		}
	}
	testEMLNames(t, emls, len(want.mails))
	verb("audit")
}

// nasty writes an mbox of the messages that are hard to read, and a few that
// answer each other.
func nasty(t *testing.T, path string) {
	t.Helper()
	var out bytes.Buffer
	w := mbox.NewWriter(&out)
	names, err := filepath.Glob("../../mail/testdata/*.eml")
	if err != nil || len(names) < 80 {
		t.Fatalf("%d messages, %v", len(names), err)
	}
	at := time.Date(2024, 2, 28, 23, 0, 0, 0, time.UTC)
	add := func(raw []byte) {
		at = at.Add(37 * time.Minute)
		if err := w.Add("sender@harbour.example", at, bytes.NewReader(raw)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		add(read(t, name))
	}
	for n := range 30 { // child before parent now and then, through three conversations
		n = n ^ 3
		flags := []string{"", "Status: RO\nX-Status: A\n", "Status: O\n", "X-Status: FT\n"}[n%4]
		text := fmt.Sprintf("%sFrom: Kari <kari@harbour.example>\nSubject: Nets\nMessage-ID: <nets-%d@harbour.example>\n", flags, n)
		if n > 2 {
			text += fmt.Sprintf("References: <nets-%d@harbour.example>\n", n-3)
		}
		add([]byte(text + "\nFrom the quay.\n>From the boat.\n"))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// live does what owners do, and lets mail come by the door, whose dates are finer
// than those of an mbox.
func live(ctx context.Context, s *system.System) (struct{}, error) {
	id, err := s.Accounts.Resolve(ctx, "ana@example.org")
	if err != nil {
		return struct{}{}, err
	}
	for n := range 3 {
		env := domain.Envelope{From: "ole@harbour.example", At: time.Now(), To: []domain.EnvelopeTo{{Account: id, Address: "ana@example.org"}}}
		text := fmt.Sprintf("From: Ole <ole@harbour.example>\r\nMessage-ID: <door-%d@harbour.example>\r\n\r\nHello\r\n", n)
		for _, err := range s.Mail.DeliverMail(ctx, env, strings.NewReader(text)) {
			if err != nil {
				return struct{}{}, err
			}
		}
	}
	var all []domain.MessageID
	err = s.Mail.EachMessage(ctx, id, func(m domain.Message, _ io.Reader) error {
		all = append(all, m.ID)
		return nil
	}, nil)
	if err != nil {
		return struct{}{}, err
	}
	own, labels, err := ownOnes(ctx, s, id)
	if err != nil {
		return struct{}{}, err
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, m := range all {
		seen, flagged := random.IntN(2) > 0, random.IntN(4) == 0
		c := domain.Change{Seen: &seen, Flagged: &flagged}
		if random.IntN(2) > 0 {
			for range 1 + random.IntN(2) {
				c.Folders = append(c.Folders, own[random.IntN(len(own))])
			}
		}
		if random.IntN(3) == 0 {
			c.Labels = []domain.FolderID{labels[random.IntN(len(labels))]}
		}
		if err == nil {
			_, _, err = s.Mail.ChangeMessages(ctx, id, domain.Command{}, 0, []domain.MessageID{m}, c)
		}
	}
	return struct{}{}, err
}

// ownOnes makes nested folders and labels, some of names that no file has, and
// gives all folders and the labels.
func ownOnes(ctx context.Context, s *system.System, id domain.AccountID) (folders, labels []domain.FolderID, err error) {
	folders = domain.FixedFolders[:]
	made := map[string]domain.FolderID{"archive": domain.Archive}
	for _, f := range []struct {
		name, above string
		label       bool
	}{
		{"Boats", "", false}, {"Sails.v2/x", "Boats", false}, {"Sails_v2_x", "Boats", false}, {"Junk", "", false},
		{"2024", "archive", false}, {"Labels", "", false}, {strings.Repeat("ü", 100), "", false},
		{"urgent", "", true}, {"very.urgent", "urgent", true}, {"never used", "", true},
	} {
		at, _, _, err := s.Mail.CreateFolder(ctx, id, domain.Command{}, domain.NewFolder{Name: f.name, Parent: made[f.above], Label: f.label, Color: "#00ff00"})
		if err != nil {
			return nil, nil, err
		}
		if made[f.name] = at; f.label {
			labels = append(labels, at)
		} else {
			folders = append(folders, at)
		}
	}
	return folders, labels[:2], nil
}

// placesOf are the folders of an account in words.
func placesOf(ctx context.Context, s *system.System, id domain.AccountID) (map[domain.FolderID]string, error) {
	fs, _, err := s.Mail.Folders(ctx, id, 0)
	names := map[domain.FolderID]string{}
	for _, f := range fs {
		names[f.ID] = fmt.Sprintf("%s/%s(%s%s)", names[f.Parent], f.Name, f.Kind, f.Color)
	}
	return names, err
}

// stock is all that an account has, in words that do not depend on its ids.
type stock struct {
	mails   map[string]string // by digest of the bytes
	threads []string          // the digests of each, sorted
	folders string
}

func stockOf(address string) func(context.Context, *system.System) (stock, error) {
	return func(ctx context.Context, s *system.System) (stock, error) {
		all := stock{mails: map[string]string{}}
		threads := map[domain.ThreadID][]string{}
		id, err := s.Accounts.Resolve(ctx, address)
		if err != nil {
			return all, err
		}
		names, err := placesOf(ctx, s, id)
		if err != nil {
			return all, err
		}
		all.folders = strings.Join(slices.Sorted(maps.Values(names)), "\n")
		err = s.Mail.EachMessage(ctx, id, func(m domain.Message, raw io.Reader) error {
			text, err := io.ReadAll(raw)
			sum := sha256.Sum256(text)
			digest := hex.EncodeToString(sum[:6])
			if _, twice := all.mails[digest]; twice {
				return fmt.Errorf("%s is there twice", digest)
			}
			var in []string
			for _, f := range m.Folders {
				in = append(in, names[f])
			}
			slices.Sort(in)
			slices.Sort(m.Keywords)
			all.mails[digest] = fmt.Sprint(m.Size, in, m.Keywords, m.ReceivedAt, m.At)
			threads[m.Thread] = append(threads[m.Thread], digest)
			return err
		}, nil)
		for _, mails := range threads {
			slices.Sort(mails)
			all.threads = append(all.threads, strings.Join(mails, " "))
		}
		slices.Sort(all.threads)
		return all, err
	}
}

func (want stock) is(t *testing.T, name string, got stock) {
	t.Helper()
	for digest := range want.mails {
		if got.mails[digest] != want.mails[digest] {
			t.Errorf("%s: %s: got %q, want %q", name, digest, got.mails[digest], want.mails[digest])
		}
	}
	if got.folders != want.folders {
		t.Errorf("%s: got folders\n%s\nwant\n%s", name, got.folders, want.folders)
	}
	if len(got.mails) != len(want.mails) {
		t.Errorf("%s: got %d messages, want %d", name, len(got.mails), len(want.mails))
	}
	if !reflect.DeepEqual(got.threads, want.threads) {
		t.Errorf("%s: got threads\n%s\nwant\n%s", name, strings.Join(got.threads, "\n"), strings.Join(want.threads, "\n"))
	}
}

// withSystem opens a folder that no server has.
func withSystem[T any](t *testing.T, dir string, f func(context.Context, *system.System) (T, error)) T {
	t.Helper()
	d, err := datadir.Open(datadir.Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	s, err := system.Open(system.Config{Dir: d, Settings: config.Default()})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f(t.Context(), s)
	if err := cmp.Or(err, s.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	return got
}

// testEMLNames wants one file for each message, in the order of their dates.
func testEMLNames(t *testing.T, dir string, messages int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "parley-folders.json" })
	if err != nil || len(entries) != messages {
		t.Errorf("%d files for %d messages: %v", len(entries), messages, err)
	}
	var last time.Time
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.ModTime().Before(last) {
			t.Errorf("%s is older than the one before", e.Name())
		}
		last = info.ModTime()
	}
}
