package client_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/parley-im/parley/client"
)

// The examples and the tests of this package's outside speak to the real
// program, as whoever uses the package does.

// scratch is the folder of the program and of its data.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "parley-client-"); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := os.RemoveAll(scratch); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// build builds the program once.
var build = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(scratch, "parley")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/parley-im/parley/cmd/parley").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return bin, nil
})

// program is a parley with people.
type program struct {
	bin, data string
	at        string // host and port, kept when it is started again
	cmd       *exec.Cmd
}

// start starts a server of its own and gives a client to each person, who is at
// example.org.
func start(people ...string) (*program, []*client.Client, error) {
	bin, err := build()
	if err != nil {
		return nil, nil, err
	}
	data, err := os.MkdirTemp(scratch, "data-")
	if err != nil {
		return nil, nil, err
	}
	p := &program{bin: bin, data: data, at: "127.0.0.1:0"}
	if err := p.serve(); err != nil {
		return nil, nil, err
	}
	var all []*client.Client
	for _, name := range people {
		c, err := p.person(name)
		if err != nil {
			p.stop(syscall.SIGKILL)
			return nil, nil, err
		}
		all = append(all, c)
	}
	return p, all, nil
}

func (p *program) serve() error {
	p.cmd = exec.Command(p.bin, "serve", "--data", p.data, "--http", p.at)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var ready struct{ HTTP string }
	if err != nil || json.Unmarshal(line, &ready) != nil {
		p.stop(syscall.SIGKILL)
		return fmt.Errorf("serve said %q: %w", line, err)
	}
	p.at = ready.HTTP
	return nil
}

// stop ends the server by a signal and waits.
func (p *program) stop(s syscall.Signal) {
	_ = p.cmd.Process.Signal(s) // it may have ended
	_ = p.cmd.Wait()
}

func (p *program) person(name string) (*client.Client, error) {
	address := name + "@example.org"
	full := strings.ToUpper(name[:1]) + name[1:]
	if _, err := p.verb("account", "add", address, "--name", full); err != nil {
		return nil, err
	}
	token, err := p.verb("token", address, "--scopes", "read,write,send")
	if err != nil {
		return nil, err
	}
	return client.New(client.Config{BaseURL: "http://" + p.at + "/v1", Token: token, Attempts: 30})
}

// verb runs an administrator's command.
func (p *program) verb(args ...string) (string, error) {
	out, err := exec.Command(p.bin, append(args, "--data", p.data)...).Output()
	return strings.TrimSpace(string(out)), err
}
