package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	domain "github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
)

// letterOf is a small message with a subject of its own.
func letterOf(subject string) string {
	return fmt.Sprintf("From: Kari <kari@harbour.example>\nSubject: %s\nMessage-ID: <%s@harbour.example>\nDate: Sat, 01 Feb 2020 10:00:00 +0000\n\nHello\n>From me\n", subject, subject)
}

// tree writes files below a new folder. A name that ends in a slash is a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2019, 5, 4, 3, 2, 1, 500, time.UTC)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// filed lists an account's messages: subject, folders, keywords, date.
func filed(t *testing.T, dir, address string) (all []string) {
	t.Helper()
	all = withSystem(t, dir, func(ctx context.Context, s *system.System) (all []string, err error) {
		id, err := s.Accounts.Resolve(ctx, address)
		if err != nil {
			return nil, err
		}
		return all, s.Mail.EachMessage(ctx, id, func(m domain.Message, raw io.Reader) error {
			text, err := io.ReadAll(raw)
			if string(text) != letterOf(m.Subject) {
				err = fmt.Errorf("%s is %q", m.Subject, text)
			}
			all = append(all, fmt.Sprint(m.Subject, m.Folders, m.Keywords, m.ReceivedAt.Format(" "+time.DateOnly)))
			return err
		}, nil)
	})
	slices.Sort(all)
	return all
}

// A Maildir as mail programs leave it.
func TestImportMaildir(t *testing.T) {
	dir := folder(t)
	root := tree(t, map[string]string{
		"cur/1.a.host,S=9:2,RS":                     letterOf("answered"),
		"cur/2.a.host:2,":                           letterOf("unread"),
		"cur/3.a.host:2,ST":                         letterOf("thrown"),
		"cur/.hidden":                               letterOf("hidden"),
		"cur/4.a.host:2,S":                          "",
		"new/5.a.host":                              letterOf("fresh"),
		"tmp/6.a.host":                              letterOf("half"),
		"dovecot-uidlist":                           "3 V1\n",
		".INBOX.Sent Items/cur/7.a:2,S":             letterOf("sent"),
		".INBOX.Sent Items/new/":                    "",
		".INBOX.Sent Items/maildirfolder":           "",
		".Drafts/cur/8.a:2,D":                       letterOf("draft"),
		".Projects.Net\n/cur/9.a:2,F":               letterOf("net"),
		".Nothing/cur/":                             "",
		"Archive/2019/cur/10.a:2,S":                 letterOf("old"),
		".Junk/cur/1741000000.M000007Q3.parley:2,S": letterOf("junk"),
	})
	if err := os.Symlink("2.a.host:2,", filepath.Join(root, "cur", "11.a:2,S")); err != nil {
		t.Fatal(err)
	}
	r := parley(t, "", "import", "--data", dir, "--account", "ana@example.org", root)
	want := "9 messages: 9 added, 0 known; to inbox went also \".Projects.Net\\n\"" +
		"; 1 were passed over, which are links or no files; 1 were passed over, which are empty\n"
	if r.code != done || r.out != want {
		t.Errorf("exit %d: got %q, want %q, %s", r.code, r.out, want, r.err)
	}
	const at = " 2019-05-04"
	all := []string{
		"answered[inbox] [$answered $seen]" + at, "draft[drafts] [$draft]" + at, "fresh[inbox] []" + at, "junk[spam] [$seen] 2025-03-03",
		"net[inbox] [$flagged]" + at, "old[archive] [$seen]" + at, "sent[sent] [$seen]" + at, "thrown[trash] [$seen]" + at, "unread[inbox] []" + at,
	}
	if got := filed(t, dir, "ana@example.org"); !slices.Equal(got, all) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(all, "\n"))
	}
}

// Single messages: what they are is told by what is in them, and they stay as
// they are.
func TestImportSingles(t *testing.T) {
	dir := folder(t)
	root := tree(t, map[string]string{
		"all/one.eml":        letterOf("one"),
		"all/deeper/Two.EML": letterOf("two"),
		"all/readme.txt":     "nothing",
		"all/20250303T080000.000001Z-00000001.archive+inbox.FS.eml": letterOf("named"),
		"all/20250303T080000.000001Z-00000002.attic.FS.eml":         letterOf("misnamed"),
		"three.eml": letterOf("three"),
		"four":      letterOf("four"),
		"empty/":    "",
	})
	got := must(t, "", "import", "--data", dir, "--account", "ana@example.org", "--folder", "other",
		filepath.Join(root, "all"), filepath.Join(root, "three.eml"), filepath.Join(root, "four"))
	if want := "6 messages: 6 added, 0 known"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	const own = "[other] [$seen] 2020-02-01" // older than the account, and nothing says that it is unread
	want := []string{"four" + own, "misnamed" + own, "named[archive inbox] [$flagged $seen] 2025-03-03", "one" + own, "three" + own, "two" + own}
	if got := filed(t, dir, "ana@example.org"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	r := parley(t, "", "import", "--data", dir, "--account", "ana@example.org", filepath.Join(root, "empty"))
	if r.code != failed || !strings.Contains(r.err, "is a folder that is no Maildir") {
		t.Errorf("an empty folder: exit %d, %q", r.code, r.err)
	}
}
