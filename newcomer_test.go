//go:build newcomer

package parley_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// untilStopped ends a documented command that serves until it is interrupted.
const untilStopped = "# until Ctrl-C"

// TestNewcomerCommands types the commands of README.md, those of its ```sh
// blocks, into a fresh copy of what git has, with an empty home. One marked
// untilStopped runs beside the rest of its block and then must stop cleanly;
// the demo is asked to end by itself.
func TestNewcomerCommands(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shellBlocks(string(text))
	if len(blocks) == 0 {
		t.Fatal("README.md has no sh block")
	}
	dir := checkout(t)
	env := freshHome(t)
	for i, block := range blocks {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			for _, line := range block {
				if command, ok := strings.CutSuffix(line, untilStopped); ok {
					serve(t, dir, env, command)
				} else {
					execute(t, dir, env, line)
				}
			}
		})
	}
}

// shellBlocks are the command lines of each ```sh block, without comments.
func shellBlocks(text string) (blocks [][]string) {
	var block []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case !inside && line == "```sh":
			inside, block = true, nil
		case inside && line == "```":
			inside, blocks = false, append(blocks, block)
		case inside && line != "" && !strings.HasPrefix(line, "#"):
			block = append(block, line)
		}
	}
	return blocks
}

// checkout copies the files that git has or would take.
func checkout(t *testing.T) string {
	t.Helper()
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		info, err := os.Lstat(name)
		if err != nil {
			continue // deleted, and not yet said to git
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// freshHome is an environment with an empty home, which keeps Go's caches: a
// newcomer waits for downloads, a test need not.
func freshHome(t *testing.T) []string {
	t.Helper()
	env := append(os.Environ(), "HOME="+t.TempDir(), "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GO" + "PROXY"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", name, err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	return env
}

func shell(ctx context.Context, dir string, env []string, line string) *exec.Cmd {
	if strings.HasSuffix(line, "parley demo") {
		line += " --exit"
	}
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", line)
	cmd.Dir, cmd.Env = dir, env
	// A group of its own: go run and make start others, which stop with them.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// execute runs a command to its end.
func execute(t *testing.T, dir string, env []string, line string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if out, err := shell(ctx, dir, env, line).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// serve starts a command, waits until it has said where it listens, and has the
// test stop it as a person would.
func serve(t *testing.T, dir string, env []string, line string) {
	t.Helper()
	line = strings.TrimSpace(line)
	cmd := shell(context.WithoutCancel(t.Context()), dir, env, line)
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); in.Close() }()
	ready, said := make(chan struct{}), make(chan string, 1)
	go listen(out, ready, said)
	t.Cleanup(func() { stop(t, line, cmd, ended, said) })
	select {
	case <-ready:
	case err := <-ended:
		ended <- err
		t.Errorf("%s ended before it served: %v", line, err)
	case <-time.After(5 * time.Minute):
		t.Errorf("%s does not say where it listens", line)
	}
}

// listen closes ready at the first line with an address.
func listen(out io.Reader, ready chan<- struct{}, said chan<- string) {
	var all bytes.Buffer
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(&all, lines.Text())
		if ready != nil && strings.Contains(lines.Text(), "http://") {
			close(ready)
			ready = nil
		}
	}
	said <- all.String()
}

func stop(t *testing.T, line string, cmd *exec.Cmd, ended <-chan error, said <-chan string) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	select {
	case err := <-ended:
		// go run ends with 1 when what it runs was interrupted, also cleanly.
		if err != nil && !strings.HasPrefix(line, "go run ") {
			t.Errorf("%s, interrupted: %v\n%s", line, err, <-said)
		}
	case <-time.After(time.Minute):
		_ = cmd.Cancel()
		t.Errorf("%s does not stop", line)
	}
}
