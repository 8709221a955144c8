// Package future composes values that are not there yet: a Future is a value or
// a failure that comes once, a Promise is its writing side, and combinators make
// futures out of futures (Eriksen, Your Server as a Function, 2013, section 2).
//
// # Order, and where continuations run
//
// The functions given to Map, Handle, FlatMap and Rescue run on the goroutine
// that finishes the future they stand on: that of Go's function, the caller of
// Promise.Set, the timer of Within. They run one at a time, those of one future
// in the order in which they were registered, behind all that this goroutine had
// to run before; the caller of Set gets its goroutine back when none is left. So
// they are quick and never Await: work that waits is a Go of its own. On a future
// that is already finished, Map and Handle run at once on the caller's goroutine,
// FlatMap and Rescue on a new one. Continuations of different futures have no
// order, nor have those finished by different goroutines.
//
// # Space
//
// Chains of any length take constant stack: what becomes ready is queued, not
// called. A future that FlatMap or Rescue returns becomes one with the future
// that it is returned to, so a loop that calls itself in FlatMap holds one
// future, not one per step. A finished future holds its value and nothing of
// what made it. Two things nest and are bounded by their author: a continuation
// that itself calls Promise.Set, and FlatMaps that wrap each other from outside.
//
// # Interrupts
//
// Raise travels against the data, from consumer to producer, and ends the context
// of the producer. It is advice: the future stays unfinished until its producer
// obeys or answers anyway. Two rules go beyond the paper, which leaves them open:
//
//   - The consumers of a future are the futures derived from it and the running
//     calls of Await. One that raises, or an Await whose context ends, only takes
//     back its own interest; the future is interrupted when the last is gone. Its
//     direct holder counts while no consumer has come: Raise on a future that has
//     none interrupts it, on one that has some it waits for them. Who wants a
//     future to live on beside others takes a Share of it first.
//   - An interrupted future begins nothing new: the function of a FlatMap or
//     Rescue that has not run yet does not run, and the future fails with the
//     cause of the interrupt.
//
// An interrupt is not taken back. Whoever comes to a future that its consumers
// have given up gets its outcome, but it may be interrupted all the same.
//
// # Not promised
//
// Nothing finishes a promise that its owner forgets, and a future dropped without
// Raise is not noticed: its work goes on. A continuation must not call
// runtime.Goexit (testing's FailNow is one). A grain waits for no future; it
// decides, commits and acts.
package future
