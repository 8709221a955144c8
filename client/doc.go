// Package client speaks /v1 for a Go program: a method for each operation of
// gateway/openapi.json, under its name there.
//
// It promises that a write is done once however often it had to be sent: each
// call has one Idempotency-Key, the caller's or one of its own, and is repeated
// under it when the connection broke or the server was away, within bounds. A
// refusal is a *Problem; any other error leaves open whether the write happened.
// Events delivers each event once across reconnects. What an answer has beyond
// what is known here is ignored, so that an older client reads a newer server.
//
// Types and methods are generated (client/generate); this package knows nothing
// else of the server.
package client
