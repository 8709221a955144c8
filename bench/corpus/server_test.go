//go:build corpus

package corpus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-im/parley/bench/torture"
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

// server is the real program with one account.
type server struct {
	torture.Server
	t       *testing.T
	account string
	client  *client.Client
}

func start(t *testing.T) *server {
	dir := t.TempDir()
	s := &server{t: t, account: "ana@example.org"}
	s.Program, s.Dir, s.Log = filepath.Join(dir, "parley"), filepath.Join(dir, "data"), filepath.Join(dir, "log")
	s.Segment = 4 << 20 // as a server has it
	if out, err := exec.Command("go", "build", "-o", s.Program, "github.com/parley-im/parley/cmd/parley").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	s.run("a long password", "account", "add", s.account, "--password-stdin")
	token := s.run("", "token", s.account, "--scopes", "read,write,send")
	if err := s.Start(context.WithoutCancel(t.Context())); err != nil { // it ends when the test has ended
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	at, _ := s.Where()
	var err error
	if s.client, err = client.New(client.Config{BaseURL: "http://" + at + "/v1", Token: token}); err != nil {
		t.Fatal(err)
	}
	return s
}

// run gives the output of a verb that must succeed.
func (s *server) run(stdin string, args ...string) string {
	s.t.Helper()
	out, err := s.Verb(s.t.Context(), stdin, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	return out
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
	_, at := s.Where()
	conn, err := net.Dial("tcp", at)
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
