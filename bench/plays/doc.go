// Package plays lets several clients of several accounts use /v1 at random, against
// the whole composition behind its HTTP handler, and foresees every answer.
//
// What foresees them is a world of plain lists, written from the rules for users
// and not from the code: rooms as sequences of events, copies as lists of messages,
// every count recounted when somebody asks. Every answer is held to it: status,
// code, field, lists in their order, cursors valid across inserts, counts, badge,
// revisions without a gap. Where the rules leave a choice, it is small and stated
// where it is taken: which thread keeps its id when mail ties two, how much of a
// room has come to a copy that nobody waited for, which the revision in the answer
// then tells, and how far a job was when it was canceled, which the job tells.
//
// A client also follows its account's stream, cut at random and resumed, and
// fetches only what the stream names. At the end its mirror equals the lists. The
// server is closed and opened in the middle; everything said before holds after.
//
// A play is its seed: one request at a time, on a clock of its own. It prints the
// seed, and on a difference its last steps. At the end of a run stands how many
// steps and which operations of the document were carried out; one that never was
// fails it, unless unplayed says why.
//
//	PARLEY_SEED   the seed of the first play; absent: 1
//	PARLEY_PLAYS  how many plays of 2,000 steps; absent: 2
//
// To add an operation: draw it in a do*.go, foresee it in the world (box*.go,
// room.go), and give it a weight in acts.
package plays
