// Package mailbox is the pure state machine of one account's copy of everything:
// it decides commands, folds actions into pages, and answers reads.
//
// It does no I/O and reads no clock. Its state is paged: what a command or a
// read lacks is named in a *Need, nothing is changed, and the caller loads the
// pages and asks again. Every change is an Action that records an outcome, so
// that folding the log from the first action gives the same pages on any day.
// What it promises is counts, lists and indexes are
// folds of the log, and folding a blanked log equals purging the fold.
package mailbox
