package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/parley-im/parley/cmd/parley/config"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/datadir"
	"github.com/parley-im/parley/mail/mbox"
)

// TestVerbs tells one story twice: with a server that holds the folder, and
// without one.
func TestVerbs(t *testing.T) {
	for _, running := range []bool{false, true} {
		name := "without a server"
		if running {
			name = "with a server"
		}
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			if running {
				serve(t, "--data", dir)
			}
			t.Run("accounts", func(t *testing.T) { testAccounts(t, dir) })
			t.Run("token", func(t *testing.T) { testToken(t, dir) })
			t.Run("import", func(t *testing.T) { testImport(t, dir) })
			t.Run("export", func(t *testing.T) { testExport(t, dir) })
			t.Run("audit", func(t *testing.T) { testAudit(t, dir) })
			t.Run("errors", func(t *testing.T) { testErrors(t, dir) })
		})
	}
}

func testAccounts(t *testing.T, dir string) {
	id := must(t, "", "account", "add", "bo@example.org", "--data", dir)
	var list []struct {
		ID        string
		Name      string
		Addresses []string
	}
	if err := json.Unmarshal([]byte(must(t, "", "account", "list", "--data", dir, "--json")), &list); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(a struct {
		ID        string
		Name      string
		Addresses []string
	}) bool {
		return a.ID == id
	})
	if len(list) != 2 || i < 0 || !slices.Equal(list[i].Addresses, []string{"bo@example.org"}) || list[1-i].Name != "Ana Souza" {
		t.Errorf("got %+v, with %s", list, id)
	}
	if got := must(t, "", "account", "list", "--data", dir); !strings.Contains(got, id+"  bo@example.org") {
		t.Errorf("list: %q", got)
	}
	must(t, "staple battery\n", "account", "passwd", "bo@example.org", "--data", dir, "--password-stdin")
}

func testToken(t *testing.T, dir string) {
	got := must(t, "", "token", "ana@example.org", "--data", dir, "--scopes", "read,write", "--expires", "24h", "--name", "test")
	if !strings.HasPrefix(got, "parley_") || strings.ContainsAny(got, " \n") {
		t.Errorf("got %q, want a token alone", got)
	}
}

func testImport(t *testing.T, dir string) {
	packed := filepath.Join(t.TempDir(), "packed") // told by its content, not by its name
	compress(t, packed, "testdata/quay.mbox")
	for _, tc := range []struct {
		paths []string
		want  string
	}{
		{[]string{packed}, "3 messages: 3 added, 0 known"},
		{[]string{packed, "testdata/quay.mbox"}, "6 messages: 0 added, 6 known"},
	} {
		args := append([]string{"import", "--data", dir, "--account", "ana@example.org"}, tc.paths...)
		if got := must(t, "", args...); got != tc.want {
			t.Errorf("import %q: got %q, want %q", tc.paths, got, tc.want)
		}
	}
	got := must(t, "", "import", "--data", dir, "--account", "bo@example.org", "--folder", "archive", "testdata/quay.mbox")
	if want := "3 messages: 3 added, 0 known"; got != want {
		t.Errorf("another account: got %q, want %q", got, want)
	}
}

func compress(t *testing.T, to, from string) {
	t.Helper()
	f, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := xz.NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(read(t, from)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// testExport wants the bytes that were imported, to a file and to a pipe.
func testExport(t *testing.T, dir string) {
	want := messages(t, string(read(t, "testdata/quay.mbox")))
	path := filepath.Join(t.TempDir(), "out.mbox")
	must(t, "", "export", "--data", dir, "--account", "ana@example.org", "--format", "mbox", path)
	r := parley(t, "", "export", "--data", dir, "--account", "ana@example.org", "--format", "mbox", "-")
	if r.code != done || r.err != "3 messages\n" {
		t.Errorf("to a pipe: exit %d, %q", r.code, r.err)
	}
	for name, got := range map[string]string{"file": string(read(t, path)), "pipe": r.out} {
		if got := messages(t, got); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left beside the file: %v, %v", entries, err)
	}
}

func messages(t *testing.T, text string) (all []string) {
	t.Helper()
	box := mbox.NewReader(strings.NewReader(text))
	for {
		entry, err := box.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(entry)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, entry.EnvelopeFrom+"\n"+string(raw))
	}
}

func testAudit(t *testing.T, dir string) {
	var report struct {
		OK       bool
		Accounts int
		Messages int
		Problems []any
	}
	if err := json.Unmarshal([]byte(must(t, "", "audit", "--data", dir, "--json")), &report); err != nil {
		t.Fatal(err)
	}
	if !report.OK || report.Accounts != 2 || report.Messages != 6 || report.Problems == nil || len(report.Problems) != 0 {
		t.Errorf("audit: %+v", report)
	}
	if got := must(t, "", "rebuild", "--data", dir, "--account", "ana@example.org"); !strings.HasSuffix(got, "as it was") {
		t.Errorf("rebuild: %q", got)
	}
	if got := must(t, "", "rebuild", "--data", dir, "--all"); strings.Count(got, "as it was") != 2 {
		t.Errorf("rebuild: %q", got)
	}
	if r := parley(t, "", "reparse", "--data", dir, "ana@example.org", "--preview"); r.code != done || r.out != "" || !strings.Contains(r.err, "3 mails read, 0 would change, 0 could not be read") {
		t.Errorf("reparse: %+v", r)
	}
	if r := parley(t, "", "reparse", "--data", dir, "--all"); r.code != done || r.out != "" || strings.Count(r.err, " 0 changed") != 2 {
		t.Errorf("reparse: %+v", r)
	}
	if got := must(t, "", "purge", "--data", dir, "ana@example.org"); !strings.HasSuffix(got, "the store's files hold none of it") {
		t.Errorf("purge: %q", got)
	}
	var check struct {
		OK      bool
		Damages []any
	}
	if err := json.Unmarshal([]byte(must(t, "", "blob", "check", "--data", dir, "--json")), &check); err != nil || !check.OK || check.Damages == nil {
		t.Errorf("blob check: %+v, %v", check, err)
	}
}

// testErrors wants one line that says what is wrong, from either process.
func testErrors(t *testing.T, dir string) {
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"a taken address", []string{"account", "add", "ana@example.org"}, "ana@example.org is taken"},
		{"no address", []string{"account", "add", "ana"}, "address"},
		{"an unknown account", []string{"token", "zoe@example.org", "--scopes", "read"}, "no account has the address zoe@example.org"},
		{"no such file", []string{"import", "--account", "ana@example.org", "testdata/none.mbox"}, "none.mbox: no such file"},
		{"a folder without mail", []string{"import", "--account", "ana@example.org", "config"}, "is a folder"},
		{"a folder with something in it", []string{"export", "--account", "ana@example.org", "--format", "maildir", "testdata"}, "testdata is not empty"},
		{"nowhere to write", []string{"export", "--account", "ana@example.org", "testdata/none/out.mbox"}, "no such file"},
	} {
		r := parley(t, "", append(tc.args, "--data", dir)...)
		if r.code != failed || !strings.Contains(r.err, tc.want) || !strings.HasPrefix(r.err, "parley: ") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, want %q", tc.name, r.code, r.err, tc.want)
		}
	}
}

// What a command did without a server holds when there is one, and the other way
// round.
func TestTokenAndPasswordHold(t *testing.T) {
	dir := folder(t)
	token := must(t, "", "token", "ana@example.org", "--data", dir, "--scopes", "read")
	s := serve(t, "--data", dir)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.HTTP+"/v1/mailbox", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	got, err := http.DefaultClient.Do(r)
	if err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("with the token: %v, %v", got, err)
	}
	got.Body.Close()
	const password = "staple battery \u00fc" // not cut, not changed
	must(t, password+"\r\n", "account", "passwd", "ana@example.org", "--data", dir, "--password-stdin")
	s.stop(t, syscall.SIGTERM)
	if strings.Contains(s.log.String(), "staple") || strings.Contains(s.log.String(), token) {
		t.Errorf("a secret in the log:\n%s", s.log)
	}
	d, err := datadir.Open(datadir.Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := system.Open(system.Config{Dir: d, Settings: config.Default()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sys.Close(t.Context()) }()
	if _, err := sys.Accounts.Password(t.Context(), "ana@example.org", password); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if _, err := sys.Accounts.Password(t.Context(), "ana@example.org", "correct horse"); err == nil {
		t.Error("the old password still holds")
	}
}
