// Package actors is the plumbing of the grains: it drives the pure state
// machines of mailbox, thread and reminder over rows of a store, and gives the
// edges a Client that speaks the domain's nouns.
//
// It promises the commit rules: what is answered is durable,
// at most one activation can commit to a row, a command runs once under its key,
// and no grain waits for another inside its loop. What a command means is left to
// the state machines; where a grain lives is left to package cluster.
package actors
