// Command parleybench measures what parley costs on this machine, prints tables and
// writes them as JSON. docs/benchmarks.md says how to read them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	var o options
	kong.Parse(&o, kong.Name("parleybench"), kong.Description("Measure what parley costs on this machine."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := o.run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "parleybench:", err)
		os.Exit(1)
	}
}
