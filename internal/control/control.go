// Package control carries an administrator's verb to the server that holds a
// data folder, and its output back.
//
// It promises that a verb is cancelled when who asked for it interrupts it or
// goes away, that output comes in the order in which it was written, and that
// one caller that reads slowly holds up nobody but itself. What the verbs are
// and do is left to who serves them. Who may connect is settled by the socket's
// folder, which is its owner's alone; on Linux the kernel is asked as well.
//
// # Protocol
//
// Both sides send frames: a kind (one byte), a length (four bytes, big-endian),
// and that many bytes. The caller sends one request and, if it is interrupted,
// one cancel. The server sends output and errors as they come and ends with one
// result.
package control

import (
	"context"
	"encoding/json"
	"errors"
	"io"
)

// Request is one verb to be run.
type Request struct {
	Verb     string          // "account add"
	Args     json.RawMessage // of the verb's own shape
	Stdin    []byte          // what the verb reads from standard input; a password
	Terminal bool            // whether errors and progress go to a terminal
}

// Result ends a verb.
type Result struct {
	Code    int    // exit code
	Message string // what is wrong and what to do next, if Code is not 0
}

// Handler runs one verb. It may write to out and diag until it returns.
type Handler func(ctx context.Context, r Request, out, diag io.Writer) Result

// ErrLost says that the server went away before the verb ended, which may have
// been done or not.
var ErrLost = errors.New("the server went away before the command ended, which may or may not have been done")
