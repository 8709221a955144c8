package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServeSaysWhereItListens(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := serve(t, "--data", dir, "--lmtp", "127.0.0.1:0")
	if want := regexp.MustCompile(`^\{"ready":true,"http":"127\.0\.0\.1:\d+","lmtp":"127\.0\.0\.1:\d+"\}\n$`); !want.MatchString(s.line) {
		t.Errorf("ready line: got %q, want %v", s.line, want)
	}
	for _, address := range []string{s.HTTP, s.LMTP} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "secret": 0o600, "control": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%q has mode %o, want %o", name, got, want)
		}
	}
	if code := s.stop(t, syscall.SIGTERM); code != done {
		t.Errorf("SIGTERM: exit %d\n%s", code, s.log)
	}
	if !strings.Contains(s.log.String(), "http://"+s.HTTP) {
		t.Errorf("the log names no address:\n%s", s.log)
	}
}

func TestServeWithoutMail(t *testing.T) {
	s := serve(t, "--data", t.TempDir())
	if strings.Contains(s.line, "lmtp") {
		t.Errorf("ready line: got %q", s.line)
	}
	if code := s.stop(t, syscall.SIGINT, syscall.SIGTERM); code != done { // at once: one wish
		t.Errorf("SIGINT: exit %d\n%s", code, s.log)
	}
}

// An event stream lasts for ever; a drain ends it.
func TestDrainEndsStreams(t *testing.T) {
	dir := folder(t)
	token := must(t, "", "token", "ana@example.org", "--data", dir, "--scopes", "read")
	s := serve(t, "--data", dir)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.HTTP+"/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		t.Fatalf("events: %s", got.Status)
	}
	if code := s.stop(t, syscall.SIGTERM); code != done {
		t.Errorf("SIGTERM: exit %d\n%s", code, s.log)
	}
	if strings.Contains(s.log.String(), "level=WARN") {
		t.Errorf("the drain was not clean:\n%s", s.log)
	}
}

func TestKillThenServe(t *testing.T) {
	dir := folder(t)
	first := serve(t, "--data", dir)
	must(t, "", "import", "--data", dir, "--account", "ana@example.org", "testdata/quay.mbox")
	if code := first.stop(t, syscall.SIGKILL); code != -1 {
		t.Fatalf("killed: exit %d", code)
	}
	if _, err := os.Lstat(filepath.Join(dir, "control")); err != nil {
		t.Fatalf("a killed server leaves its socket: %v", err)
	}
	serve(t, "--data", dir)
	if got, want := must(t, "", "import", "--data", dir, "--account", "ana@example.org", "testdata/quay.mbox"), "3 messages: 0 added, 3 known"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := must(t, "", "audit", "--data", dir); !strings.HasSuffix(got, ": 0 problems") {
		t.Errorf("audit: %s", got)
	}
}

func TestSecondServerIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--data", dir)
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"folder": {[]string{"--data", dir, "--http", "127.0.0.1:0"}, "a server runs in " + dir},
		"port":   {[]string{"--data", t.TempDir(), "--http", s.HTTP}, "address already in use; name another address with --http"},
	} {
		r := parley(t, "", append([]string{"serve"}, tc.args...)...)
		if r.code != failed || !strings.Contains(r.err, tc.want) {
			t.Errorf("%s: exit %d, %q, want %q", name, r.code, r.err, tc.want)
		}
	}
}

// A path longer than a socket's address takes.
func TestLongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a-long-name/", 15), "data")
	s := serve(t, "--data", dir)
	must(t, "", "account", "add", "ana@example.org", "--data", dir)
	if got := must(t, "", "account", "list", "--data", dir); !strings.Contains(got, "ana@example.org") {
		t.Errorf("list: %q", got)
	}
	s.stop(t, syscall.SIGTERM)
}

func TestAdmin(t *testing.T) {
	s := serve(t, "--data", t.TempDir(), "--admin", "127.0.0.1:0")
	for path, want := range map[string]string{
		"/healthz": "ok", "/metrics": "parley_blob_puts_total 0", "/debug/pprof/": "goroutine",
	} {
		if got := s.admin(t, path); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %.200q", path, want, got)
		}
	}
	if got, err := http.Get("http://" + s.HTTP + "/metrics"); err != nil || got.StatusCode != http.StatusNotFound {
		t.Errorf("metrics at the public door: %v, %v", got, err)
	}
}

// What a door took is answered, and only then the server ends.
func TestDrainAnswersWhatIsUnderWay(t *testing.T) {
	for _, tc := range []struct {
		name   string
		second bool // a second signal, while the drain waits
		code   int
	}{
		{"it waits", false, done},
		{"a second signal ends it at once", true, failed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := folder(t)
			token := must(t, "", "token", "ana@example.org", "--data", dir, "--scopes", "send")
			s := serve(t, "--data", dir, "--admin", "127.0.0.1:0")
			body, rest := io.Pipe()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+s.HTTP+"/v1/blobs?name=slow.txt", body)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Idempotency-Key", "slow")
			answered := make(chan string, 1)
			go func() {
				got, err := http.DefaultClient.Do(r)
				if err != nil {
					answered <- err.Error()
					return
				}
				got.Body.Close()
				answered <- got.Status
			}()
			fmt.Fprint(rest, "slow")
			s.until(t, "/metrics", "parley_gateway_in_flight_requests 1")
			if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.until(t, "/healthz", "draining")
			if tc.second {
				go func() { // what comes right after the first belongs to it
					for s.cmd.Process.Signal(syscall.SIGTERM) == nil {
						<-time.After(50 * time.Millisecond)
					}
				}()
				if code := s.stop(t); code != tc.code {
					t.Errorf("exit %d, want %d", code, tc.code)
				}
				rest.Close()
				return
			}
			rest.Close()
			if got := <-answered; got != "201 Created" {
				t.Errorf("the upload: %s", got)
			}
			if code := s.stop(t); code != tc.code {
				t.Errorf("exit %d, want %d\n%s", code, tc.code, s.log)
			}
		})
	}
}

// until asks the administrator's door until the answer has a text.
func (s *served) until(t *testing.T, path, want string) {
	t.Helper()
	for end := time.Now().Add(wait); ; {
		body := s.admin(t, path)
		if strings.Contains(body, want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s has no %q:\n%s", path, want, body)
		}
		<-time.After(10 * time.Millisecond)
	}
}

func (s *served) admin(t *testing.T, path string) string {
	t.Helper()
	got, err := http.Get("http://" + s.Admin + path)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestServeReadsConfig(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "parley.toml")
	text := "data = \"" + dir + "\"\n[lmtp]\nlisten = \"127.0.0.1:0\"\n[log]\nformat = \"json\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--config", file)
	if s.LMTP == "" {
		t.Errorf("ready line: got %q", s.line)
	}
	s.stop(t, syscall.SIGTERM)
	if !strings.HasPrefix(s.log.String(), `{"time":`) {
		t.Errorf("the log is no JSON: %.100q", s.log.String())
	}
	if s := serve(t, "--config", file, "--lmtp", ""); s.LMTP != "" {
		t.Errorf("a flag overrides the file: got %q", s.line)
	}
}
