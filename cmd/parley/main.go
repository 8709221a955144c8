// Command parley is the server and its administrator's tools in one binary. It
// joins the packages that do the work and does none itself.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

// Exit codes.
const (
	done   = 0
	failed = 1
	misuse = 2
)

// process is what a command has of the process it runs in.
type process struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	terminal       bool // stderr is one
}

func main() {
	ctx := untilSignal()
	p := process{os.Stdin, os.Stdout, os.Stderr, term.IsTerminal(int(os.Stderr.Fd()))}
	os.Exit(run(ctx, p, os.Args[1:]))
}

// sameSignal is how soon a signal still belongs to the first one: timeout(1) and
// some supervisors signal a process and then its group.
const sameSignal = 100 * time.Millisecond

// untilSignal ends with the first signal that asks the process to end. The
// second one ends the process at once.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	asked := make(chan os.Signal, 2)
	signal.Notify(asked, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signal.Notify(asked, syscall.SIGHUP)
	}
	go func() {
		<-asked
		cancel()
		for first := time.Now(); ; {
			<-asked
			if time.Since(first) > sameSignal {
				os.Exit(failed)
			}
		}
	}()
	return ctx
}
