//go:build corpus

package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/parley-im/parley/client"
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
	t         *testing.T
	bin, data string
	lmtp      string
	cmd       *exec.Cmd
	account   string
	client    *client.Client
}

func start(t *testing.T) *server {
	s := &server{t: t, data: t.TempDir(), bin: filepath.Join(t.TempDir(), "parley"), account: "ana@example.org"}
	if out, err := exec.Command("go", "build", "-o", s.bin, "github.com/parley-im/parley/cmd/parley").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	s.run("a long password", "account", "add", s.account, "--data", s.data, "--password-stdin")
	token := strings.TrimSpace(s.run("", "token", s.account, "--data", s.data, "--scopes", "read,write,send"))
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
	s.lmtp = ready.LMTP
	if s.client, err = client.New(client.Config{BaseURL: "http://" + ready.HTTP + "/v1", Token: token}); err != nil {
		t.Fatal(err)
	}
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

// messages reads every message of every thread.
func (s *server) messages() (threads int, out []client.Message) {
	s.t.Helper()
	for th, err := range s.client.AllThreads(s.t.Context(), client.ListThreadsParams{Limit: 200}) {
		if err != nil {
			s.t.Fatal(err)
		}
		threads++
		for m, err := range s.client.AllMessages(s.t.Context(), th.ID, client.ListMessagesParams{Limit: 200}) {
			if err != nil {
				s.t.Fatal(err)
			}
			out = append(out, m)
		}
	}
	return threads, out
}

// raw reads the bytes of a message.
func (s *server) raw(id client.MessageID) []byte {
	s.t.Helper()
	d, err := s.client.GetRawMessage(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	defer d.Close()
	text, err := io.ReadAll(d)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
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
