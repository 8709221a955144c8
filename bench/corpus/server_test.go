//go:build corpus

package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// folder is where the corpus is.
func folder(t *testing.T) string {
	dir := os.Getenv("PARLEY_CORPUS")
	if dir == "" {
		t.Fatal("PARLEY_CORPUS has to name the folder of the corpus")
	}
	return dir
}

// server is a `parley serve` with one account.
type server struct {
	t                *testing.T
	bin, data, token string
	http, lmtp       string
	cmd              *exec.Cmd
	account          string
}

func start(t *testing.T) *server {
	s := &server{t: t, data: t.TempDir(), bin: filepath.Join(t.TempDir(), "parley"), account: "ana@example.org"}
	if out, err := exec.Command("go", "build", "-o", s.bin, "github.com/parley-im/parley/cmd/parley").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	s.run("a long password", "account", "add", s.account, "--data", s.data, "--password-stdin")
	s.token = strings.TrimSpace(s.run("", "token", s.account, "--data", s.data, "--scopes", "read,write,send"))
	s.cmd = exec.Command(s.bin, "serve", "--data", s.data, "--http", "127.0.0.1:0", "--lmtp", "127.0.0.1:0")
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	var ready struct{ HTTP, LMTP string }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &ready) != nil {
		t.Fatalf("serve said %q: %v", line, err)
	}
	s.http, s.lmtp = ready.HTTP, ready.LMTP
	return s
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("serve: %v", err)
	}
}

// run gives the output of a verb that must succeed.
func (s *server) run(stdin string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(s.bin, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("parley %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return string(out)
}

// get reads a JSON resource of /v1.
func (s *server) get(path string, into any) {
	s.t.Helper()
	if err := json.Unmarshal(s.bytes(path), into); err != nil {
		s.t.Fatalf("GET %s: %v", path, err)
	}
}

func (s *server) bytes(path string) []byte {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodGet, "http://"+s.http+"/v1"+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	for {
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			s.t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode == http.StatusTooManyRequests {
			continue
		}
		if err != nil || res.StatusCode != http.StatusOK {
			s.t.Fatalf("GET %s: %s %v\n%s", path, res.Status, err, body)
		}
		return body
	}
}

type message struct {
	ID, Thread, Subject, Text string
	At                        string
}

type page[T any] struct {
	Data []T
	Next *string
}

// all reads a whole list.
func all[T any](s *server, path string) []T {
	var out []T
	after := ""
	for {
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		var p page[T]
		s.get(path+sep+"limit=200"+after, &p)
		out = append(out, p.Data...)
		if p.Next == nil {
			return out
		}
		after = "&after=" + url.QueryEscape(*p.Next)
	}
}

// messages reads every message of every thread.
func (s *server) messages() (threads int, out []message) {
	ths := all[struct{ ID string }](s, "/threads")
	for _, th := range ths {
		for _, m := range all[message](s, "/threads/"+th.ID+"/messages") {
			m.Thread = th.ID
			out = append(out, m)
		}
	}
	return len(ths), out
}

// deliver brings raw bytes through the LMTP door by BDAT (RFC 3030), which
// carries them as they are, and returns the answer for the recipient.
func (s *server) deliver(raw []byte) string {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.lmtp)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	answer := func() string {
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				s.t.Fatal(err)
			}
			if len(line) > 3 && line[3] == ' ' {
				return strings.TrimSpace(line)
			}
		}
	}
	answer()
	for _, c := range []string{"LHLO corpus", "MAIL FROM:<x@example.net>", "RCPT TO:<" + s.account + ">"} {
		fmt.Fprintf(conn, "%s\r\n", c)
		if a := answer(); a[0] != '2' {
			s.t.Fatalf("%s: %s", c, a)
		}
	}
	fmt.Fprintf(conn, "BDAT %d LAST\r\n", len(raw))
	if _, err := conn.Write(raw); err != nil {
		s.t.Fatal(err)
	}
	return answer()
}
