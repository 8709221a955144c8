package main

import (
	"context"

	"github.com/parley-im/parley/cmd/parley/verb"
)

// grammar is the command line: each command is a field, its flags and arguments
// are the fields of its type.
type grammar struct {
	Serve serveCommand `cmd:"" help:"Run a server in the foreground until SIGTERM or Ctrl-C."`
	Demo  demoCommand  `cmd:"" help:"Play a day of three people on a server of its own, and leave it running to look at."`

	Account struct {
		Add    verb.AccountAdd    `cmd:"" help:"Make an account and print its id."`
		Passwd verb.AccountPasswd `cmd:"" help:"Set another password."`
		List   verb.AccountList   `cmd:"" help:"List the accounts."`
	} `cmd:"" help:"Make and list accounts."`
	Token  verb.Token  `cmd:"" help:"Make a bearer token for /v1 and print it."`
	Import verb.Import `cmd:"" help:"File the mail of mbox files, Maildirs and .eml files. What is there already is not added again."`
	Export verb.Export `cmd:"" help:"Write all messages of an account to an mbox, a Maildir or .eml files."`

	Top     verb.Top     `cmd:"" help:"Show what a running server does, as it does it."`
	Audit   verb.Audit   `cmd:"" help:"Hold everything stored to its invariants; exit 1 if anything is wrong."`
	Rebuild verb.Rebuild `cmd:"" help:"Make mailboxes' views anew from their logs."`
	Reparse verb.Reparse `cmd:"" help:"Read stored mail again, as this version reads it, or with --preview say what that would change."`
	Purge   verb.Purge   `cmd:"" help:"Finish what an account deleted for good: rewrite archived parts of its log, and the store's files, without it."`
	Blob    struct {
		Check   verb.BlobCheck   `cmd:"" help:"Read every blob and verify it; exit 1 if any is damaged."`
		Sweep   verb.BlobSweep   `cmd:"" help:"End the blobs that two sweeps, 48 hours apart, find nowhere in use. A server does so every day."`
		Compact verb.BlobCompact `cmd:"" help:"Give the space of ended blobs back, by rewriting the volumes that they fill."`
	} `cmd:"" help:"Look after the blobs."`

	CheckConfig checkConfigCommand `cmd:"" help:"Say what is wrong with a configuration file."`
	Version     versionCommand     `cmd:"" help:"Print the version."`
}

// command is what runs where it was typed; the others are verbs.
type command interface {
	run(ctx context.Context, p process) error
}
