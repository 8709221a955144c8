package torture

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is the real program, which is started, killed and started again.
type Server struct {
	Program string // the binary
	Dir     string // its data folder
	Log     string // a file that its log is appended to
	Segment int    // bytes of a log that go into the archive at a time; 0 is few, so that logs are sealed all the time

	mu         sync.Mutex
	running    *exec.Cmd // under mu
	http, lmtp string    // under mu; "" while it is not ready
}

const segment = 2 << 10

// readyTime is how long a start may take.
const readyTime = 20 * time.Second

// Where is the server's doors now.
func (s *Server) Where() (http, lmtp string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.http, s.lmtp
}

// Start starts it and waits until it says that it is ready.
func (s *Server) Start(ctx context.Context) error {
	ready, err := s.begin(ctx)
	if err != nil {
		return err
	}
	select {
	case line := <-ready:
		return s.open(line)
	case <-time.After(readyTime):
		s.Kill()
		return fmt.Errorf("torture: the server was not ready after %v: %s", readyTime, s.lastWords())
	}
}

// StartAndKill starts it and kills it after a while, ready or not.
func (s *Server) StartAndKill(ctx context.Context, after time.Duration) error {
	if _, err := s.begin(ctx); err != nil {
		return err
	}
	pause(ctx, after)
	s.Kill()
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// begin starts the process; ready gets its first line, or "" when it ended before.
func (s *Server) begin(ctx context.Context) (ready <-chan string, err error) {
	log, err := os.OpenFile(s.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	settings := filepath.Join(filepath.Dir(s.Log), "parley.toml")
	if err := os.WriteFile(settings, fmt.Appendf(nil, "[mailbox]\nsegment = \"%dKiB\"\n", cmp.Or(s.Segment, segment)>>10), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, s.Program, "serve", "--config", settings, "--data", s.Dir, "--http", "127.0.0.1:0", "--lmtp", "127.0.0.1:0")
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.running = cmd
	s.mu.Unlock()
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		lines <- line
	}()
	return lines, nil
}

// open reads the line that says where the doors are.
func (s *Server) open(line string) error {
	var at struct {
		Ready      bool
		HTTP, LMTP string
	}
	if err := json.Unmarshal([]byte(line), &at); err != nil || !at.Ready {
		return fmt.Errorf("torture: the server said %q: %s", line, s.lastWords())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.http, s.lmtp = at.HTTP, at.LMTP
	return nil
}

// Kill ends it by SIGKILL and waits until it is gone.
func (s *Server) Kill() { _ = s.end(syscall.SIGKILL) }

// Stop asks it to end by SIGTERM; it has to exit with 0.
func (s *Server) Stop() error {
	if err := s.end(syscall.SIGTERM); err != nil {
		return fmt.Errorf("torture: the server ended by %w: %s", err, s.lastWords())
	}
	return nil
}

func (s *Server) end(sig syscall.Signal) error {
	s.mu.Lock()
	cmd := s.running
	s.running, s.http, s.lmtp = nil, "", ""
	s.mu.Unlock()
	if cmd == nil {
		return nil
	}
	if err := cmd.Process.Signal(sig); err != nil {
		return err
	}
	return cmd.Wait()
}

// lastWords are the last lines of the log.
func (s *Server) lastWords() string {
	text, err := os.ReadFile(s.Log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " | ")
}

// Verb runs one of the program's verbs on the folder and returns what it says.
func (s *Server) Verb(ctx context.Context, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, s.Program, append(args, "--data", s.Dir)...)
	cmd.Stdin = strings.NewReader(stdin)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("torture: parley %s: %w: %s", strings.Join(args, " "), err, complaints.String())
	}
	return strings.TrimSpace(string(out)), nil
}
