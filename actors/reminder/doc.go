// Package reminder is the pure state machine of a bucket of durable timers: it
// reads the entries of the bucket's row and says whom to call.
//
// A virtual actor wakes only when it is called, so whoever leaves work behind a
// commit puts an entry first, and the bucket calls it until it has erased the
// entry. It does no I/O and reads no clock.
package reminder
