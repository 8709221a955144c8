package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/parley-im/parley/cmd/parley/verb"
)

const about = "One mailbox for every conversation: rooms, mail and, one day, texts. Begin with: parley demo"

// run runs one command line and returns the exit code.
func run(ctx context.Context, p process, args []string) int {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	selected, code, ok := parse(p, args)
	if !ok {
		return code
	}
	var err error
	switch c := selected.Target.Addr().Interface().(type) {
	case verb.Verb:
		err = runVerb(ctx, p, c)
	case command:
		err = c.run(ctx, p)
	default:
		err = fmt.Errorf("%s does nothing", selected.Path())
	}
	return report(p, selected, err)
}

// helped is thrown by kong, by way of its Exit, when help was printed.
type helped struct{}

// parse finds the command. Without one there is an exit code.
func parse(p process, args []string) (selected *kong.Node, code int, ok bool) {
	var g grammar
	parser := kong.Must(&g,
		kong.Name("parley"),
		kong.Description(about),
		kong.Writers(p.stdout, p.stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: false}),
		kong.Exit(func(int) { panic(helped{}) }),
	)
	defer func() {
		if v := recover(); v != nil {
			if _, is := v.(helped); !is {
				panic(v)
			}
			selected, code, ok = nil, done, false
		}
	}()
	parsed, err := parser.Parse(args)
	if err == nil {
		return parsed.Selected(), done, true
	}
	at := "parley"
	if e := (*kong.ParseError)(nil); errors.As(err, &e) && e.Context.Selected() != nil {
		at = e.Context.Selected().FullPath()
	}
	complain(p, fmt.Sprintf("%v; %s --help shows how", err, at))
	return nil, misuse, false
}

// report says in one line what went wrong.
func report(p process, selected *kong.Node, err error) int {
	var usage *verb.UsageError
	var remote *verb.RemoteError
	switch {
	case err == nil:
		return done
	case errors.As(err, &usage):
		complain(p, fmt.Sprintf("%v; %s --help shows how", err, selected.FullPath()))
		return misuse
	case errors.As(err, &remote):
		complain(p, remote.Error())
		return remote.Code
	}
	complain(p, verb.Message(err))
	return failed
}

func complain(p process, text string) {
	fmt.Fprintf(p.stderr, "parley: %s\n", strings.ReplaceAll(strings.TrimSpace(text), "\n", "; "))
}
