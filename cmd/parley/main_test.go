package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-im/parley/cmd/parley/server"
)

// asParley makes this test binary be parley, so that the tests run the real
// command line in processes of its own, race detector and all.
const asParley = "PARLEY_TEST_AS_PARLEY"

func TestMain(m *testing.M) {
	if os.Getenv(asParley) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// wait is more than anything here takes on a busy machine.
const wait = 60 * time.Second

func newCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	// The race detector lets every process sleep for a second at its end.
	cmd.Env = append(os.Environ(), asParley+"=1", "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	cmd.WaitDelay = wait
	return cmd
}

// result is what a command line did.
type result struct {
	out, err string
	code     int
}

// parley runs a command line to its end.
func parley(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, diag bytes.Buffer
	cmd := newCommand(t, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &diag
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("parley %q: %v", args, err)
	}
	return result{out.String(), diag.String(), cmd.ProcessState.ExitCode()}
}

// must runs a command line that has to succeed, and returns its output.
func must(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	r := parley(t, stdin, args...)
	if r.code != done {
		t.Fatalf("parley %q: exit %d: %s%s", args, r.code, r.out, r.err)
	}
	return strings.TrimSpace(r.out)
}

// served is a server in a process of its own.
type served struct {
	server.Ready
	line string // as it was printed
	cmd  *exec.Cmd
	log  *bytes.Buffer // to be read after the end
	out  io.ReadCloser
}

// serve starts a server and waits until it is ready.
func serve(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{cmd: newCommand(t, append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...), log: new(bytes.Buffer)}
	s.cmd.Stderr = s.log
	var err error
	if s.out, err = s.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			s.stop(t, syscall.SIGKILL)
		}
	})
	s.line, err = bufio.NewReader(s.out).ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(s.line), &s.Ready)
	}
	if err != nil {
		s.stop(t, syscall.SIGKILL)
		t.Fatalf("serve %q is not ready: %v\n%s", args, err, s.log)
	}
	return s
}

// stop sends signals and returns the exit code; -1 for one that was killed.
func (s *served) stop(t *testing.T, signals ...os.Signal) int {
	t.Helper()
	for _, signal := range signals {
		if err := s.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = io.Copy(io.Discard, s.out)
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}

// folder is a data folder with one account.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	must(t, "correct horse\n", "account", "add", "ana@example.org", "--data", dir, "--password-stdin", "--name", "Ana Souza")
	return dir
}
